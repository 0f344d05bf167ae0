//! Bytes that are packed in a file, read from any place.
//!
//! They are unpacked in windows, of which those that were needed last are kept: pages of a long
//! file need its parts in about the order in which they stand.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::base::Base;
use super::blocks::Blocks;
use super::deflate::{Deflated, State, Wrapper, cut_off};
use super::limits::MAX_UNPACKED;
use crate::files::Reader;

/// How bytes are packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Packing {
    None,
    Gzip,
    Zstd,
}

impl Packing {
    /// Returns the name of files that are packed so.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::None => "tar",
            Self::Gzip => "gzip",
            Self::Zstd => "Zstandard",
        }
    }
}

/// Bytes that are packed in a file.
pub(super) struct Stream {
    /// Tells it from all others.
    id: u64,
    /// The bytes of the file that it is.
    range: Range<u64>,
    /// The most bytes that it may unpack to.
    most: u64,
    shape: Shape,
    cache: Arc<Cache>,
}

enum Shape {
    Plain,
    Deflate(Deflated),
    /// Held while it is unpacked, so that this is done once.
    Zstd(Mutex<()>),
}

/// The bytes of a window, but for the last one.
pub(super) const WINDOW: usize = 1 << 20;

/// Some bytes in a row of what was unpacked.
pub(super) struct Window {
    pub(super) bytes: Vec<u8>,
    /// For the last one, how it ends.
    pub(super) end: Option<End>,
}

/// The end of a stream.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// Nothing follows.
    Over,
    /// What follows cannot be read.
    Broken(ErrorKind, String),
}

/// What was unpacked last, of all streams.
#[derive(Default)]
pub(super) struct Cache {
    windows: Mutex<VecDeque<(u64, u64, Arc<Window>)>>,
    blocks: Mutex<VecDeque<(u64, Arc<Blocks>)>>,
}

/// The most windows that are kept: some for each thread, on most machines.
const MAX_WINDOWS: usize = 24;
/// The most bytes of blocks that are kept of all streams but the last one.
const MAX_BLOCK_BYTES: usize = 96 << 20;

static NEXT_ID: AtomicU64 = AtomicU64::new(0);

impl Stream {
    /// A stream of the bytes `range` of a file.
    pub(super) fn new(packing: Packing, range: Range<u64>, cache: &Arc<Cache>) -> Self {
        Self::nested(packing, range, MAX_UNPACKED, cache)
    }

    /// One that may unpack to so many bytes at most.
    pub(super) fn nested(
        packing: Packing,
        range: Range<u64>,
        most: u64,
        cache: &Arc<Cache>,
    ) -> Self {
        let deflated = || Deflated::new(range.clone(), Wrapper::Gzip).at_most(most);
        let shape = match packing {
            Packing::None => Shape::Plain,
            Packing::Gzip => Shape::Deflate(deflated()),
            Packing::Zstd => Shape::Zstd(Mutex::default()),
        };
        Self { most, ..Self::of(shape, range, cache) }
    }

    /// One of what DEFLATE packed, whose length and CRC are `told` where they are known.
    pub(super) fn deflated(
        range: Range<u64>,
        told: Option<(u64, u32)>,
        cache: &Arc<Cache>,
    ) -> Self {
        let shape = Shape::Deflate(Deflated::new(range.clone(), Wrapper::Bare(told)));
        Self::of(shape, range, cache)
    }

    fn of(shape: Shape, range: Range<u64>, cache: &Arc<Cache>) -> Self {
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        Self { id, range, most: MAX_UNPACKED, shape, cache: cache.clone() }
    }

    /// Returns the bytes of the file that it is.
    pub(super) fn place(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Returns whether it lies in the file as it is.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.shape, Shape::Plain)
    }

    /// Opens it for reading the bytes `range` of what is unpacked. Where these end is an error
    /// unless that is nowhere.
    pub(super) fn read(self: &Arc<Self>, mut file: Base, range: Range<u64>) -> Reader {
        if !self.is_plain() {
            let (at, end) = (range.start, range.end);
            return Box::new(Unpacked {
                stream: self.clone(),
                file,
                at,
                end,
                window: None,
                live: None,
            });
        }
        let from = self.range.start.saturating_add(range.start);
        let end = self.range.start.saturating_add(range.end).min(self.range.end);
        let len = end.saturating_sub(from);
        let missing = range.end != u64::MAX && range.end - range.start > len;
        match file.seek(SeekFrom::Start(from)) {
            Ok(_) => {
                let left = if missing { range.end - range.start } else { len };
                Box::new(BufReader::new(Plain { file, left }))
            }
            Err(error) => Box::new(BufReader::new(Failed(Some(error)))),
        }
    }

    /// Returns a window of what is unpacked.
    fn window(
        &self,
        file: &mut Base,
        number: u64,
        live: &mut Option<(u64, State)>,
    ) -> io::Result<Arc<Window>> {
        if let Some(known) = self.cache.window(self.id, number) {
            return Ok(known);
        }
        let window = match &self.shape {
            Shape::Plain => Window { bytes: Vec::new(), end: Some(End::Over) },
            Shape::Deflate(deflated) => deflated.window(file, number, live),
            Shape::Zstd(unpacking) => {
                let _held = unpacking.lock().unwrap_or_else(PoisonError::into_inner);
                let blocks = match self.cache.blocks(self.id) {
                    Some(blocks) => blocks,
                    None => {
                        let read = Blocks::read(
                            file.try_clone()?,
                            self.range.clone(),
                            self.most,
                        );
                        self.cache.keep_blocks(self.id, Arc::new(read))
                    }
                };
                blocks.window(number)
            }
        };
        Ok(self.cache.keep(self.id, number, Arc::new(window)))
    }
}

impl Cache {
    fn window(&self, stream: u64, number: u64) -> Option<Arc<Window>> {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let place =
            windows.iter().position(|(id, n, _)| (*id, *n) == (stream, number))?;
        let found = windows.remove(place)?;
        let window = found.2.clone();
        windows.push_front(found);
        Some(window)
    }

    fn keep(&self, stream: u64, number: u64, window: Arc<Window>) -> Arc<Window> {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        windows.retain(|(id, n, _)| (*id, *n) != (stream, number));
        windows.push_front((stream, number, window.clone()));
        windows.truncate(MAX_WINDOWS);
        window
    }

    fn blocks(&self, stream: u64) -> Option<Arc<Blocks>> {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let place = blocks.iter().position(|(id, _)| *id == stream)?;
        let found = blocks.remove(place)?;
        let known = found.1.clone();
        blocks.push_front(found);
        Some(known)
    }

    fn keep_blocks(&self, stream: u64, read: Arc<Blocks>) -> Arc<Blocks> {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        blocks.push_front((stream, read.clone()));
        let mut size = 0;
        let too_many = blocks.iter().skip(1).position(|(_, known)| {
            size += known.size;
            size > MAX_BLOCK_BYTES
        });
        if let Some(place) = too_many {
            blocks.truncate(place + 1);
        }
        read
    }
}

/// Reads what is unpacked.
struct Unpacked {
    stream: Arc<Stream>,
    file: Base,
    at: u64,
    end: u64,
    window: Option<(u64, Arc<Window>)>,
    /// Where unpacking goes on.
    live: Option<(u64, State)>,
}

impl BufRead for Unpacked {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let number = self.at / WINDOW as u64;
        if self.at < self.end
            && self.window.as_ref().is_none_or(|(known, _)| *known != number)
        {
            let window = self.stream.window(&mut self.file, number, &mut self.live)?;
            self.window = Some((number, window));
        }
        let Some((_, window)) = self.window.as_ref().filter(|_| self.at < self.end)
        else {
            return Ok(&[]);
        };
        let from = (self.at % WINDOW as u64) as usize;
        let len = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let rest = window.bytes.get(from..).unwrap_or_default();
        if rest.is_empty() {
            return match &window.end {
                Some(End::Broken(kind, why)) => Err(io::Error::new(*kind, why.clone())),
                _ if self.end == u64::MAX => Ok(&[]),
                _ => Err(cut_off()),
            };
        }
        Ok(&rest[..rest.len().min(len)])
    }

    fn consume(&mut self, count: usize) {
        self.at += count as u64;
    }
}

impl Read for Unpacked {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let some = self.fill_buf()?;
        let count = some.len().min(out.len());
        out[..count].copy_from_slice(&some[..count]);
        self.consume(count);
        Ok(count)
    }
}

/// Reads what lies in a file as it is, all of which should be there.
struct Plain {
    file: Base,
    left: u64,
}

impl Read for Plain {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = out.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        if len == 0 {
            return Ok(0);
        }
        let read = self.file.read(&mut out[..len])?;
        if read == 0 {
            return Err(cut_off());
        }
        self.left -= read as u64;
        Ok(read)
    }
}

/// What cannot be read.
struct Failed(Option<io::Error>);

impl Read for Failed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
