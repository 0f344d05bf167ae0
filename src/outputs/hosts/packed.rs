//! Compressed copies next to files, for your own web server.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

use flate2::{Compression, GzBuilder};

use crate::config::Packing;
use crate::hash::Hash;
use crate::outputs::media_types::is_text;
use crate::outputs::output::{MakeResult, Output, Recipe};
use crate::path::OutPath;

/// The version of the compressed output. It changes with every change to the compression.
const VERSION: u32 = 1;

/// A level that compresses about as well as the best one in a fifth of the time.
const BROTLI_QUALITY: i32 = 9;
const GZIP_LEVEL: u32 = 7;
/// The base-two logarithm of the window size in bytes.
const BROTLI_WINDOW: i32 = 22;

/// The maximum size in bytes of files that are kept until they are compressed.
const MAX_KEPT_BYTES: usize = 16 << 20;

/// Adds compressed copies to outputs that are sorted by path, and keeps them sorted.
pub(crate) fn with_copies(outputs: Vec<Output>, packings: &[Packing]) -> Vec<Output> {
    let mut packings = packings.to_vec();
    packings.sort_unstable();
    packings.dedup();
    if packings.is_empty() {
        return outputs;
    }
    let kept = Arc::new(Kept::default());
    let mut copies = Vec::new();
    let mut all: Vec<Output> = outputs
        .into_iter()
        .enumerate()
        .map(|(number, mut output)| {
            if !is_text(output.path.as_str()) {
                return output;
            }
            let recipe = KeptRecipe { number, recipe: output.recipe, kept: kept.clone() };
            let recipe: Arc<dyn Recipe> = Arc::new(recipe);
            output.recipe = recipe.clone();
            let copy = |packing: &Packing| {
                let path = OutPath::new(format!("{}{}", output.path, packing.extension()))?;
                let recipe = Packed { packing: *packing, recipe: recipe.clone() };
                Some(Output {
                    path,
                    key: Hash::of(&(VERSION, packing, output.key)),
                    rank: output.rank,
                    locality: output.locality,
                    input_bytes: output.input_bytes,
                    is_optional: true,
                    large: None,
                    recipe: Arc::new(recipe),
                })
            };
            copies.extend(packings.iter().filter_map(copy));
            output
        })
        .collect();
    all.append(&mut copies);
    // The sort is stable, so files of the site at such a path have precedence.
    all.sort_by(|a, b| a.path.cmp(&b.path));
    all.dedup_by(|later, first| later.path == first.path);
    all
}

/// Files that were made recently and will be compressed next.
#[derive(Default)]
struct Kept(Mutex<VecDeque<(usize, Vec<u8>)>>);

impl Kept {
    fn get(&self, number: usize) -> Option<Vec<u8>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().find(|(known, _)| *known == number);
        found.map(|(_, bytes)| bytes.clone())
    }

    fn put(&self, number: usize, bytes: &[u8]) {
        if bytes.len() > MAX_KEPT_BYTES / 4 {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back((number, bytes.to_vec()));
        while kept.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() > MAX_KEPT_BYTES
            || kept.len() > 64
        {
            kept.pop_front();
        }
    }
}

/// The recipe of a file whose content will be needed again soon.
struct KeptRecipe {
    number: usize,
    recipe: Arc<dyn Recipe>,
    kept: Arc<Kept>,
}

impl Recipe for KeptRecipe {
    fn make(&self) -> MakeResult {
        if let Some(bytes) = self.kept.get(self.number) {
            return Ok(bytes);
        }
        let bytes = self.recipe.make()?;
        self.kept.put(self.number, &bytes);
        Ok(bytes)
    }
}

/// The recipe of a compressed copy; its content is empty if it would not be smaller.
struct Packed {
    packing: Packing,
    recipe: Arc<dyn Recipe>,
}

impl Recipe for Packed {
    fn make(&self) -> MakeResult {
        let bytes = self.recipe.make()?;
        let packed = pack(&bytes, self.packing).unwrap_or_default();
        Ok(if packed.len() < bytes.len() { packed } else { Vec::new() })
    }
}

/// Compresses bytes. The result depends on nothing else: it contains no time or file name.
fn pack(bytes: &[u8], packing: Packing) -> std::io::Result<Vec<u8>> {
    let mut packed = Vec::with_capacity(bytes.len() / 3);
    match packing {
        Packing::Gzip => {
            // 255 means an unknown operating system.
            let builder = GzBuilder::new().mtime(0).operating_system(255);
            let mut gzip = builder.write(packed, Compression::new(GZIP_LEVEL));
            gzip.write_all(bytes)?;
            packed = gzip.finish()?;
        }
        Packing::Brotli => {
            let params = brotli::enc::BrotliEncoderParams {
                quality: BROTLI_QUALITY,
                lgwin: BROTLI_WINDOW,
                size_hint: bytes.len(),
                mode: brotli::enc::backward_references::BrotliEncoderMode::BROTLI_MODE_TEXT,
                ..Default::default()
            };
            brotli::CompressorReader::with_params(bytes, 1 << 16, &params)
                .read_to_end(&mut packed)?;
        }
    }
    Ok(packed)
}
