//! DEFLATE streams, as in ZIP and gzip, with random access.
//!
//! Such a stream can be unpacked only from its start. So the first pass keeps the decoder's state
//! at many places, and reading continues from the last one before the wanted byte.

use std::io::{self, ErrorKind, SeekFrom};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};

use super::base::Base;
use super::errors::{broken, cut_off};
use super::limits::{MAX_UNPACKED, is_bomb};
use super::window::{End, WINDOW, Window};

/// A DEFLATE stream.
pub(super) struct Deflated {
    /// The range of its bytes in the file.
    range: Range<u64>,
    wrapper: Wrapper,
    /// The maximum unpacked length. Bytes.
    most: u64,
    marks: Mutex<Marks>,
}

/// The format around the compressed data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wrapper {
    /// None; the length and the CRC of the content come from elsewhere.
    Bare(Option<(u64, u32)>),
    /// gzip members, one or more in sequence.
    Gzip,
}

/// Decoder states, by the number of the next window.
struct Marks {
    known: Vec<(u64, State)>,
    /// The number of windows from one state to the next.
    step: u64,
}

/// The maximum number of states for a stream. Each takes 43 kB.
const MAX_MARKS: usize = 512;
/// The number of bytes to read from the file at a time.
const INPUT: usize = 64 << 10;

/// The decoder's state between two windows.
#[derive(Clone)]
pub(super) struct State {
    inflate: Box<InflateState>,
    phase: Phase,
    /// The offset of the next byte in the file.
    input: u64,
    /// The number of unpacked bytes.
    output: u64,
    /// The number of unpacked bytes in the current gzip member.
    own: u64,
    crc: crc32fast::Hasher,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Head,
    Data,
    Tail,
    Over,
}

impl Deflated {
    pub(super) fn new(range: Range<u64>, wrapper: Wrapper) -> Self {
        let marks = Mutex::new(Marks { known: Vec::new(), step: 1 });
        Self { range, wrapper, most: MAX_UNPACKED, marks }
    }

    /// Sets the maximum unpacked length.
    pub(super) fn at_most(self, most: u64) -> Self {
        Self { most, ..self }
    }

    /// Unpacks a window. `live` is the state of the same reader after its previous window.
    pub(super) fn window(
        &self,
        file: &mut dyn Base,
        number: u64,
        live: &mut Option<(u64, State)>,
    ) -> Window {
        let (mut at, mut state) = self.nearest(number, live.take());
        loop {
            let window = self.unpack(&mut state, file);
            let is_last = window.end.is_some();
            if at == number || is_last {
                if !is_last {
                    self.remember(at + 1, &state);
                    *live = Some((at + 1, state));
                }
                return match at == number {
                    true => window,
                    // After the end, there is nothing to read.
                    false => Window { bytes: Vec::new(), end: window.end },
                };
            }
            at += 1;
            self.remember(at, &state);
        }
    }

    /// Unpacks everything. Returns the packed and the unpacked length, and whether the stream is
    /// truncated.
    pub(super) fn measure(&self, file: &mut dyn Base) -> (u64, u64, bool) {
        let mut state = self.start();
        loop {
            let window = self.unpack(&mut state, file);
            match window.end {
                None => {}
                Some(End::Over) => {
                    return (state.input - self.range.start, state.output, false);
                }
                Some(End::Broken(..)) => {
                    return (self.range.end - self.range.start, state.output, true);
                }
            }
        }
    }

    /// Returns the closest state at or before a window, and its window number.
    fn nearest(&self, number: u64, live: Option<(u64, State)>) -> (u64, State) {
        let marks = self.marks.lock().unwrap_or_else(PoisonError::into_inner);
        let place = marks.known.partition_point(|(window, _)| *window <= number);
        let mark = place.checked_sub(1).and_then(|place| marks.known.get(place));
        let live = live.filter(|(at, _)| *at <= number);
        match (mark, live) {
            (Some((at, _)), Some(live)) if live.0 >= *at => live,
            (Some(mark), _) => mark.clone(),
            (None, Some(live)) => live,
            (None, None) => (0, self.start()),
        }
    }

    fn start(&self) -> State {
        State {
            inflate: InflateState::new_boxed(DataFormat::Raw),
            phase: match self.wrapper {
                Wrapper::Bare(_) => Phase::Data,
                Wrapper::Gzip => Phase::Head,
            },
            input: self.range.start,
            output: 0,
            own: 0,
            crc: crc32fast::Hasher::new(),
        }
    }

    fn remember(&self, number: u64, state: &State) {
        let mut marks = self.marks.lock().unwrap_or_else(PoisonError::into_inner);
        let last = marks.known.last().map_or(0, |(window, _)| *window);
        if number < last + marks.step {
            return;
        }
        if marks.known.len() >= MAX_MARKS {
            marks.step *= 2;
            let step = marks.step;
            marks.known.retain(|(window, _)| window % step == 0);
        }
        if number.is_multiple_of(marks.step) {
            marks.known.push((number, state.clone()));
        }
    }

    /// Unpacks the next window.
    fn unpack(&self, state: &mut State, file: &mut dyn Base) -> Window {
        let mut bytes = vec![0; WINDOW];
        let mut filled = 0;
        let end = match self.fill(state, file, &mut bytes, &mut filled) {
            Ok(true) => None,
            Ok(false) => Some(End::Over),
            Err(error) => Some(End::Broken(error.kind(), error.to_string())),
        };
        bytes.truncate(filled);
        bytes.shrink_to_fit();
        Window { bytes, end }
    }

    /// Fills `bytes`; returns whether there may be more.
    fn fill(
        &self,
        state: &mut State,
        file: &mut dyn Base,
        bytes: &mut [u8],
        filled: &mut usize,
    ) -> io::Result<bool> {
        let mut input = Input::new(file, state.input, self.range.end)?;
        loop {
            match state.phase {
                Phase::Over => {
                    state.input = input.place();
                    return Ok(false);
                }
                Phase::Head => {
                    state.phase = match gzip_head(&mut input, state.output > 0)? {
                        true => Phase::Data,
                        false => Phase::Over,
                    };
                    state.inflate = InflateState::new_boxed(DataFormat::Raw);
                    (state.own, state.crc) = (0, crc32fast::Hasher::new());
                }
                Phase::Data if *filled == bytes.len() => {
                    state.input = input.place();
                    return Ok(true);
                }
                Phase::Data => {
                    let packed = input.more()?;
                    let result =
                        inflate(&mut state.inflate, packed, &mut bytes[*filled..], MZFlush::None);
                    let is_at_end = packed.is_empty();
                    let (used, made) = (result.bytes_consumed, result.bytes_written);
                    input.consume(used);
                    state.crc.update(&bytes[*filled..*filled + made]);
                    *filled += made;
                    state.own += made as u64;
                    state.output += made as u64;
                    match result.status {
                        Ok(MZStatus::StreamEnd) => state.phase = Phase::Tail,
                        Ok(_) | Err(MZError::Buf) if used + made > 0 => {}
                        Ok(_) | Err(MZError::Buf) if is_at_end => return Err(cut_off()),
                        _ => return Err(broken("it is truncated or damaged")),
                    }
                    self.check(state, input.place())?;
                }
                Phase::Tail => {
                    let (len, crc) = match self.wrapper {
                        Wrapper::Bare(reported) => {
                            state.phase = Phase::Over;
                            reported.unwrap_or((state.own, state.crc.clone().finalize()))
                        }
                        Wrapper::Gzip => {
                            state.phase = Phase::Head;
                            let [a, b, c, d, e, f, g, h] = input.take()?;
                            let len = u32::from_le_bytes([e, f, g, h]);
                            (u64::from(len), u32::from_le_bytes([a, b, c, d]))
                        }
                    };
                    // gzip stores only the lowest four bytes of the length.
                    let is_len = len == state.own
                        || self.wrapper == Wrapper::Gzip && len == state.own & 0xffff_ffff;
                    if !is_len || crc != state.crc.clone().finalize() {
                        return Err(broken("the checksum does not match"));
                    }
                }
            }
        }
    }

    /// Returns an error if the stream unpacks to more than is allowed.
    fn check(&self, state: &State, input: u64) -> io::Result<()> {
        let packed = input - self.range.start;
        let reported = match self.wrapper {
            Wrapper::Bare(Some((len, _))) => len,
            _ => self.most,
        };
        if state.output > reported || is_bomb(packed, state.output) {
            return Err(broken("it exceeds the limit for unpacked data"));
        }
        Ok(())
    }
}

/// Reads a gzip header; returns whether there is one. After the first member, anything else may
/// follow.
fn gzip_head(input: &mut Input<'_>, is_later: bool) -> io::Result<bool> {
    let packed = input.more()?;
    if packed.is_empty() || is_later && !packed.starts_with(b"\x1f") {
        return Ok(false);
    }
    let [a, b, method, flags, ..]: [u8; 10] = input.take()?;
    if [a, b] != [0x1f, 0x8b] || method != 8 {
        return match is_later {
            true => Ok(false),
            false => Err(broken("it is not gzip")),
        };
    }
    if flags & 4 != 0 {
        for _ in 0..u16::from_le_bytes(input.take()?) {
            input.take::<1>()?;
        }
    }
    // The name, and a comment.
    for flag in [8, 16] {
        while flags & flag != 0 && input.take::<1>()? != [0] {}
    }
    if flags & 2 != 0 {
        input.take::<2>()?;
    }
    Ok(true)
}

/// The compressed bytes of a file.
struct Input<'a> {
    file: &'a mut dyn Base,
    buffer: Vec<u8>,
    at: usize,
    /// The offset after the buffer.
    next: u64,
    end: u64,
}

impl<'a> Input<'a> {
    fn new(file: &'a mut dyn Base, from: u64, end: u64) -> io::Result<Self> {
        file.seek(SeekFrom::Start(from))?;
        Ok(Self { file, buffer: Vec::new(), at: 0, next: from, end })
    }

    fn place(&self) -> u64 {
        self.next - (self.buffer.len() - self.at) as u64
    }

    /// Returns some of the following bytes; nothing at the end.
    fn more(&mut self) -> io::Result<&[u8]> {
        if self.at == self.buffer.len() {
            let len = self.end.saturating_sub(self.next).min(INPUT as u64) as usize;
            self.buffer.resize(len, 0);
            self.at = 0;
            let mut read = 0;
            while read < len {
                match self.file.read(&mut self.buffer[read..]) {
                    Ok(0) => break,
                    Ok(more) => read += more,
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
            self.buffer.truncate(read);
            self.next += read as u64;
        }
        Ok(&self.buffer[self.at..])
    }

    fn consume(&mut self, count: usize) {
        self.at = (self.at + count).min(self.buffer.len());
    }

    fn take<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut taken = [0; N];
        for byte in &mut taken {
            *byte = *self.more()?.first().ok_or_else(cut_off)?;
            self.consume(1);
        }
        Ok(taken)
    }
}
