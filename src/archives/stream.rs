//! Bytes that are packed in a file, read from any place.
//!
//! They are unpacked in windows, of which those that were needed last are kept: pages of a long
//! file need its parts in about the order in which they stand.

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
    /// What is not unpacked from the bytes of the file.
    #[cfg(feature = "sqlite")]
    Computed(Arc<dyn Computed>),
}

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

    /// One of bytes that are computed.
    #[cfg(feature = "sqlite")]
    pub(super) fn computed(bytes: Arc<dyn Computed>, cache: &Arc<Cache>) -> Self {
        Self::of(Shape::Computed(bytes), 0..0, cache)
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

    /// Returns a window of what is unpacked.
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

/// Reads what is unpacked.
struct Unpacked {
    stream: Arc<Stream>,
    file: Box<dyn Base>,
    at: u64,
    end: u64,
    window: Option<(u64, Arc<Window>)>,
    /// Where unpacking goes on.
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

/// Reads what lies in a file as it is, all of which should be there.
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

/// What cannot be read.
struct Failed(Option<io::Error>);

impl Read for Failed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
