//! The bytes of files.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::super::varint::{put_front_coded, put_number};
use super::inverter::PostingList;
use super::weights::weight;

/// Encodes a file of postings: terms with their turns and weights. The file has the dictionary
/// after its length in bytes, then for all terms the gaps between conversations, the places of
/// turns, and a byte of weight for each turn. For each term, the dictionary has twice the number of
/// its turns, plus one if its places are dense, and the lengths of its gaps and places.
pub(super) fn postings_file(group: Vec<(Box<str>, PostingList)>, mean: f64) -> Vec<u8> {
    let (mut dictionary, mut before) = (Vec::new(), "");
    let (mut gaps, mut places, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    put_number(group.len() as u64, &mut dictionary);
    for (term, list) in &group {
        let documents = list.documents();
        put_front_coded(term, before, &mut dictionary);
        before = term;
        let turns = list.turns as usize * 2 + usize::from(list.is_dense);
        for number in [turns, documents.len(), list.places.len()] {
            put_number(number as u64, &mut dictionary);
        }
        gaps.extend_from_slice(&documents);
        places.extend_from_slice(&list.places);
        weights.extend(list.counts.iter().map(|(count, len)| weight(*count, *len, mean)));
    }
    let mut start = Vec::new();
    put_number(dictionary.len() as u64, &mut start);
    start.append(&mut dictionary);
    pack(&[&start, &gaps, &places, &weights])
}

/// Encodes a file of positions: the dictionary after its length in bytes, then the positions of all
/// terms.
pub(super) fn positions_file(group: Vec<(Box<str>, Vec<u8>)>) -> Vec<u8> {
    let (mut dictionary, mut before, mut all) = (Vec::new(), "", Vec::new());
    put_number(group.len() as u64, &mut dictionary);
    for (term, positions) in &group {
        put_front_coded(term, before, &mut dictionary);
        before = term;
        put_number(positions.len() as u64, &mut dictionary);
        all.extend_from_slice(positions);
    }
    let mut start = Vec::new();
    put_number(dictionary.len() as u64, &mut start);
    start.append(&mut dictionary);
    pack(&[&start, &all])
}

/// Compresses the bytes of a file. Each part is compressed separately, because its byte frequencies
/// differ; this saves 5 %.
pub(super) fn pack(parts: &[&[u8]]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(COMPRESSION_LEVEL));
    for part in parts {
        let written = encoder.write_all(part).and_then(|()| encoder.flush());
        written.expect("writing to memory cannot fail");
    }
    let file = encoder.finish().expect("writing to memory cannot fail");
    // Many files are in memory at once, so none may keep spare capacity, which shrinking does not
    // guarantee.
    file.as_slice().to_vec()
}

/// The level of DEFLATE. By measurement, higher levels save 2 % and take three times as long.
const COMPRESSION_LEVEL: u32 = 4;
