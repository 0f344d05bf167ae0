//! Packed bytes in a file, with random access.
//!
//! They are unpacked in windows, and recently used windows are cached: pages of a long file need
//! its parts in roughly the order of the file.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::base::Base;
use super::blocks::Blocks;
use super::cache::Cache;
#[cfg(feature = "sqlite")]
use super::computed::Computed;
use super::deflate::{Deflated, State, Wrapper};
use super::errors::cut_off;
use super::limits::MAX_UNPACKED;
use super::packing::Packing;
use super::window::{End, WINDOW, Window};
use convo_base::files::Reader;

/// Packed bytes in a file.
pub(super) struct Stream {
    /// A unique id.
    id: u64,
    /// The range of the bytes in the file.
    range: Range<u64>,
    /// The maximum unpacked length. Bytes.
    most: u64,
    shape: Shape,
    cache: Arc<Cache>,
}

enum Shape {
    Plain,
    Deflate(Deflated),
    /// Locked while unpacking, so that this happens only once.
    Zstd(Mutex<()>),
    /// Bytes that do not come from the file directly.
    #[cfg(feature = "sqlite")]
    Computed(Arc<dyn Computed>),
}

static NEXT_ID: AtomicU64 = AtomicU64::new(0);

impl Stream {
    /// Creates a stream from the bytes `range` of a file.
    pub(super) fn new(packing: Packing, range: Range<u64>, cache: &Arc<Cache>) -> Self {
        Self::nested(packing, range, MAX_UNPACKED, cache)
    }

    /// Creates a stream with a maximum unpacked length.
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

    /// Creates a DEFLATE stream, with its length and CRC in `reported` if they are known.
    pub(super) fn deflated(
        range: Range<u64>,
        reported: Option<(u64, u32)>,
        cache: &Arc<Cache>,
    ) -> Self {
        let shape = Shape::Deflate(Deflated::new(range.clone(), Wrapper::Bare(reported)));
        Self::of(shape, range, cache)
    }

    /// Creates a stream of computed bytes.
    #[cfg(feature = "sqlite")]
    pub(super) fn computed(bytes: Arc<dyn Computed>, cache: &Arc<Cache>) -> Self {
        Self::of(Shape::Computed(bytes), 0..0, cache)
    }

    fn of(shape: Shape, range: Range<u64>, cache: &Arc<Cache>) -> Self {
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        Self { id, range, most: MAX_UNPACKED, shape, cache: cache.clone() }
    }

    /// Returns the range of its bytes in the file.
    pub(super) fn place(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Returns whether its bytes are stored in the file uncompressed.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.shape, Shape::Plain)
    }

    /// Opens the unpacked bytes `range` for reading. An earlier end of the stream is an error,
    /// unless the range has no end.
    pub(super) fn read(self: &Arc<Self>, mut file: Box<dyn Base>, range: Range<u64>) -> Reader {
        #[cfg(feature = "sqlite")]
        if let Shape::Computed(bytes) = &self.shape {
            return bytes.clone().read(range.start);
        }
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

    /// Returns a window of unpacked bytes.
    fn window(
        &self,
        file: &mut dyn Base,
        number: u64,
        live: &mut Option<(u64, State)>,
    ) -> io::Result<Arc<Window>> {
        if let Some(known) = self.cache.window(self.id, number) {
            return Ok(known);
        }
        let window = match &self.shape {
            #[cfg(feature = "sqlite")]
            Shape::Computed(_) => Window { bytes: Vec::new(), end: Some(End::Over) },
            Shape::Plain => Window { bytes: Vec::new(), end: Some(End::Over) },
            Shape::Deflate(deflated) => deflated.window(file, number, live),
            Shape::Zstd(unpacking) => {
                let _held = unpacking.lock().unwrap_or_else(PoisonError::into_inner);
                let blocks = match self.cache.blocks(self.id) {
                    Some(blocks) => blocks,
                    None => {
                        let read = Blocks::read(file.try_clone()?, self.range.clone(), self.most);
                        self.cache.keep_blocks(self.id, Arc::new(read))
                    }
                };
                blocks.window(number)
            }
        };
        Ok(self.cache.keep(self.id, number, Arc::new(window)))
    }
}

/// Reads unpacked bytes.
struct Unpacked {
    stream: Arc<Stream>,
    file: Box<dyn Base>,
    at: u64,
    end: u64,
    window: Option<(u64, Arc<Window>)>,
    /// The state where unpacking continues.
    live: Option<(u64, State)>,
}

impl BufRead for Unpacked {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let number = self.at / WINDOW as u64;
        if self.at < self.end && self.window.as_ref().is_none_or(|(known, _)| *known != number) {
            let window = self.stream.window(&mut *self.file, number, &mut self.live)?;
            self.window = Some((number, window));
        }
        let Some((_, window)) = self.window.as_ref().filter(|_| self.at < self.end) else {
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

/// Reads uncompressed bytes of a file, all of which must exist.
struct Plain {
    file: Box<dyn Base>,
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

/// Reading that failed from the start.
struct Failed(Option<io::Error>);

impl Read for Failed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
