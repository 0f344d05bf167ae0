//! Zstandard streams. They are unpacked once and kept in memory as compressed blocks, so that any
//! part can be read quickly.
//!
//! Unlike DEFLATE, Zstandard has no state small enough to keep at many places. The blocks are
//! compressed with a fast method and take about a quarter of the text.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;

use lz4_flex::block::{compress, decompress};
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use super::base::Base;
use super::errors::{broken, cut_off};
use super::limits::is_bomb;
use super::window::{End, WINDOW, Window};

/// The windows of a stream, each compressed separately.
pub(super) struct Blocks {
    /// Each window with its unpacked length.
    packed: Vec<(usize, Vec<u8>)>,
    end: End,
    /// The size in memory. Bytes.
    pub(super) size: usize,
}

/// The maximum size of the blocks of a stream. Bytes.
const MAX_SIZE: usize = 256 << 20;
/// The maximum window size of the decoder. Bytes.
const MAX_LOOK_BACK: u64 = 64 << 20;

/// Unpacks data in memory to at most `most` bytes.
#[cfg(feature = "sqlite")]
pub(super) fn unpacked(packed: &[u8], most: u64) -> Option<Vec<u8>> {
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(MAX_LOOK_BACK);
    let reader = StreamingDecoder::new_with_decoder(packed, &mut decoder).ok()?;
    let mut bytes = Vec::new();
    reader.take(most + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= most).then_some(bytes)
}

impl Blocks {
    /// Unpacks the bytes `range` of a file.
    pub(super) fn read(file: Box<dyn Base>, range: Range<u64>, most: u64) -> Self {
        let mut blocks = Self { packed: Vec::new(), end: End::Over, size: 0 };
        if let Err(error) = blocks.fill(file, &range, most) {
            blocks.end = End::Broken(error.kind(), error.to_string());
        }
        blocks
    }

    fn fill(&mut self, mut file: Box<dyn Base>, range: &Range<u64>, most: u64) -> io::Result<()> {
        file.seek(SeekFrom::Start(range.start))?;
        let len = range.end - range.start;
        let mut input = BufReader::new(file.take(len));
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MAX_LOOK_BACK);
        let mut window = Vec::with_capacity(WINDOW);
        let mut unpacked = 0;
        // A file may consist of several frames.
        while !input.fill_buf()?.is_empty() {
            let mut frame = match StreamingDecoder::new_with_decoder(&mut input, &mut decoder) {
                Ok(frame) => frame,
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let skipped = input.by_ref().take(u64::from(length));
                    io::copy(&mut { skipped }, &mut io::sink())?;
                    continue;
                }
                Err(_) => {
                    self.push(&mut window)?;
                    return Err(match input.fill_buf()?.is_empty() {
                        true => cut_off(),
                        false => broken("it is not Zstandard, or needs too much memory"),
                    });
                }
            };
            loop {
                let room = (WINDOW - window.len()) as u64;
                let read = frame.by_ref().take(room).read_to_end(&mut window);
                let read = match read {
                    Ok(read) => read,
                    Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                    Err(_) => {
                        self.push(&mut window)?;
                        return Err(match input.fill_buf()?.is_empty() {
                            true => cut_off(),
                            false => broken("it is truncated or damaged"),
                        });
                    }
                };
                unpacked += read as u64;
                if window.len() == WINDOW {
                    self.push(&mut window)?;
                }
                if unpacked > most || is_bomb(len, unpacked) {
                    return Err(broken("it exceeds the limit for unpacked data"));
                }
                if read == 0 {
                    break;
                }
            }
        }
        self.push(&mut window)
    }

    fn push(&mut self, window: &mut Vec<u8>) -> io::Result<()> {
        if window.is_empty() {
            return Ok(());
        }
        let packed = compress(window);
        self.size += packed.len();
        if self.size > MAX_SIZE {
            let most = convo_base::text::bytes(MAX_SIZE as u64);
            let why = format!("it needs more than {most} of memory; unpack it yourself");
            return Err(broken(&why));
        }
        self.packed.push((window.len(), packed));
        window.clear();
        Ok(())
    }

    /// Returns a window.
    pub(super) fn window(&self, number: u64) -> Window {
        let number = usize::try_from(number).unwrap_or(usize::MAX);
        let unpacked = self.packed.get(number).map(|(len, packed)| decompress(packed, *len));
        let is_last = number.saturating_add(1) >= self.packed.len();
        Window {
            bytes: unpacked.and_then(Result::ok).unwrap_or_default(),
            end: is_last.then(|| self.end.clone()),
        }
    }
}
