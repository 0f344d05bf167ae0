//! Detects the duration of a recording from its headers.

use std::io::Read as _;

use crate::files::Files;
use crate::path::RelPath;

/// The length of the beginning and of the end that are searched. Bytes.
const LOOK_BYTES: u64 = 1 << 16;
/// The maximum number of MP4 boxes to examine.
const MAX_BOXES: usize = 64;
/// The maximum plausible duration, some months. Milliseconds.
const MAX_MILLIS: u64 = 10_000_000_000;

/// A file that is read in small parts.
#[derive(Clone, Copy)]
pub(super) struct Recorded<'a> {
    pub(super) files: &'a dyn Files,
    pub(super) file: &'a RelPath,
    /// The length of the file in bytes.
    pub(super) len: u64,
}

impl Recorded<'_> {
    /// Returns some bytes from an offset on; fewer at the end of the file.
    pub(super) fn read(self, from: u64, count: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        if let Ok(reader) = self.files.open(self.file, from) {
            // Unreadable bytes count as missing.
            let _ = reader.take(count).read_to_end(&mut bytes);
        }
        bytes
    }

    /// Returns the duration in milliseconds.
    pub(super) fn duration(self, extension: &str) -> Option<u64> {
        let head = self.read(0, LOOK_BYTES);
        let (units, per_second) = match extension {
            "wav" => wav(&head, self.len)?,
            "flac" => flac(&head)?,
            "ogg" => self.ogg(&head)?,
            "mp3" => self.mp3(&head)?,
            "mp4" | "m4a" => self.mp4()?,
            _ => return None,
        };
        let millis = u128::from(units) * 1000 / u128::from(per_second.max(1));
        let millis = u64::try_from(millis).ok()?;
        (per_second > 0 && (1..MAX_MILLIS).contains(&millis)).then_some(millis)
    }

    /// Returns the number of samples, from the last page, and the sample rate.
    fn ogg(self, head: &[u8]) -> Option<(u64, u64)> {
        let (rate, skipped) = match (find(head, b"OpusHead"), find(head, b"\x01vorbis")) {
            (Some(at), _) => (48_000, u64::from(little16(head, at + 10)?)),
            (None, Some(at)) => (u64::from(little32(head, at + 12)?), 0),
            (None, None) => return None,
        };
        let end = self.read(self.len.saturating_sub(LOOK_BYTES), LOOK_BYTES);
        let page = end.windows(4).rposition(|window| window == b"OggS")?;
        let samples = end.get(page + 6..page + 14)?.try_into().ok();
        let samples = samples.map(u64::from_le_bytes)?;
        Some((samples.checked_sub(skipped)?, rate))
    }

    /// Returns an amount and its rate per second: samples if the first frame has the number of
    /// frames, otherwise bits.
    fn mp3(self, head: &[u8]) -> Option<(u64, u64)> {
        let tag = match head.get(..10)? {
            [b'I', b'D', b'3', _, _, _, a, b, c, d] => {
                10 + [a, b, c, d].into_iter().fold(0, |sum, byte| sum << 7 | u64::from(*byte))
            }
            _ => 0,
        };
        let frame = self.read(tag, 256);
        let header = big32(&frame, 0)?;
        let (version, layer) = (header >> 19 & 3, header >> 17 & 3);
        if header >> 21 != 0x7ff || layer != 1 || version == 1 {
            return None;
        }
        let is_first = version == 3;
        let rate: u64 = [44_100, 48_000, 32_000].get(header as usize >> 10 & 3).copied()?;
        let rate = rate >> [2, 0, 1, 0][version as usize];
        let samples: u64 = if is_first { 1152 } else { 576 };
        let is_mono = header >> 6 & 3 == 3;
        let side = match (is_first, is_mono) {
            (true, false) => 32,
            (true, true) | (false, false) => 17,
            (false, true) => 9,
        };
        let at = 4 + side;
        let has_count = matches!(frame.get(at..at + 4), Some(b"Xing" | b"Info"))
            && big32(&frame, at + 4)? & 1 == 1;
        if has_count {
            return Some((u64::from(big32(&frame, at + 8)?) * samples, rate));
        }
        const FIRST: [u64; 14] = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
        const SECOND: [u64; 14] = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
        let table = if is_first { FIRST } else { SECOND };
        let bits = table.get((header as usize >> 12 & 15).checked_sub(1)?)? * 1000;
        Some((self.len.checked_sub(tag)? * 8, bits))
    }

    fn mp4(self) -> Option<(u64, u64)> {
        let mut at = 0;
        for _ in 0..MAX_BOXES {
            let head = self.read(at, 16);
            let name = head.get(4..8)?;
            let len = match big32(&head, 0)? {
                1 => head.get(8..16)?.try_into().ok().map(u64::from_be_bytes)?,
                len => u64::from(len),
            };
            if name == b"moov" {
                let bytes = self.read(at, LOOK_BYTES);
                let body = find(&bytes, b"mvhd")? + 4;
                return match bytes.get(body)? {
                    0 => {
                        let scale = u64::from(big32(&bytes, body + 12)?);
                        Some((u64::from(big32(&bytes, body + 16)?), scale))
                    }
                    _ => {
                        let units = bytes.get(body + 24..body + 32)?.try_into().ok();
                        let scale = u64::from(big32(&bytes, body + 20)?);
                        Some((units.map(u64::from_be_bytes)?, scale))
                    }
                };
            }
            at = at.checked_add(len.max(8))?;
        }
        None
    }
}

fn wav(head: &[u8], len: u64) -> Option<(u64, u64)> {
    let (mut at, mut bytes_per_second) = (12, 0);
    loop {
        let size = little32(head, at + 4)?;
        match head.get(at..at + 4)? {
            b"fmt " => bytes_per_second = u64::from(little32(head, at + 16)?),
            // Recorders that write to a pipe do not know the length in advance.
            b"data" => {
                let rest = len.saturating_sub(at as u64 + 8);
                return Some((u64::from(size).min(rest), bytes_per_second));
            }
            _ => {}
        }
        at = at.checked_add(8 + size as usize + (size as usize & 1))?;
    }
}

fn flac(head: &[u8]) -> Option<(u64, u64)> {
    let facts = head.get(18..26)?.try_into().ok().map(u64::from_be_bytes)?;
    Some((facts & 0xf_ffff_ffff, facts >> 44))
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

fn little16(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at.checked_add(2)?)?.try_into().ok().map(u16::from_le_bytes)
}

fn little32(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at.checked_add(4)?)?.try_into().ok().map(u32::from_le_bytes)
}

fn big32(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at.checked_add(4)?)?.try_into().ok().map(u32::from_be_bytes)
}

#[cfg(test)]
mod tests {
    use super::Recorded;
    use crate::files::Memory;
    use crate::path::RelPath;

    fn duration(extension: &str, bytes: Vec<u8>) -> Option<u64> {
        let (mut files, len) = (Memory::default(), bytes.len() as u64);
        files.insert("a", bytes);
        let recorded = Recorded { files: &files, file: &RelPath::new("a"), len };
        recorded.duration(extension)
    }

    #[test]
    fn headers_contain_the_length_of_a_recording() {
        let wav = |rate: u32, size: u32, bytes: usize| {
            let mut wav = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0".to_vec();
            wav.extend(rate.to_le_bytes());
            wav.extend(rate.to_le_bytes());
            wav.extend(b"\x01\0\x08\0data");
            wav.extend(size.to_le_bytes());
            wav.resize(wav.len() + bytes, 128);
            wav
        };
        assert_eq!(duration("wav", wav(8000, 4000, 4000)), Some(500));
        assert_eq!(duration("wav", wav(8000, u32::MAX, 8000)), Some(1000));
        assert_eq!(duration("wav", wav(0, 4000, 4000)), None);

        let mut flac = b"fLaC\0\0\0\x22".to_vec();
        flac.resize(18, 0);
        flac.extend((44_100_u64 << 44 | 88_200).to_be_bytes());
        assert_eq!(duration("flac", flac), Some(2000));

        let mut opus = b"OggS\0\x02".to_vec();
        opus.resize(28, 0);
        opus.extend(b"OpusHead\x01\x01\x38\x01");
        opus.extend(b"OggS\0\x04");
        opus.extend(48_312_u64.to_le_bytes());
        opus.resize(opus.len() + 20, 0);
        assert_eq!(duration("ogg", opus), Some(1000));

        let mut mp4 = b"\0\0\0\x08free\0\0\0\x6cmoov\0\0\0\x6cmvhd".to_vec();
        mp4.resize(mp4.len() + 12, 0);
        mp4.extend(600_u32.to_be_bytes());
        mp4.extend(900_u32.to_be_bytes());
        assert_eq!(duration("mp4", mp4), Some(1500));

        // A tag, and frames with 128 kilobits per second.
        let mut mp3 = b"ID3\x04\0\0\0\0\0\x02ab\xff\xfb\x90\0".to_vec();
        mp3.resize(12 + 16_000, 0);
        assert_eq!(duration("mp3", mp3.clone()), Some(1000));
        mp3[12 + 36..][..12].copy_from_slice(b"Xing\0\0\0\x01\0\0\0\x4d");
        assert_eq!(duration("mp3", mp3), Some(2011));
    }

    #[test]
    fn a_truncated_recording_has_no_length() {
        for extension in ["wav", "flac", "ogg", "mp3", "mp4", "webm"] {
            for bytes in [&b""[..], b"RIFF", b"\xff\xfb\xf0\0", b"\0\0\0\0moov", b"OggS"] {
                assert_eq!(duration(extension, bytes.to_vec()), None, "{extension}");
            }
        }
    }
}
