//! What a text is like, in little: two texts of which most runs of words are the same have
//! sketches of which most places are the same.
//!
//! It is MinHash with one permutation: each run of five words has a number, the number chooses a
//! place, and of those that chose a place the least one stays there.

use serde::{Deserialize, Serialize};

use crate::hash::quick;

/// Places of a sketch.
const PLACES: usize = 64;
/// Words of a run.
const RUN: usize = 5;
/// Places that are looked up together when the like of a sketch is sought.
const BAND: usize = 4;
/// A place that nothing chose.
const EMPTY: u16 = u16::MAX;

/// A sketch.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Sketch(Vec<u16>);

impl Sketch {
    /// About which part of their runs of words two texts have in common, from 0 to 1.
    pub fn likeness(&self, other: &Self) -> f64 {
        let pairs = self.0.iter().zip(&other.0);
        let used = pairs.clone().filter(|(a, b)| **a != EMPTY || **b != EMPTY);
        let same = used.clone().filter(|(a, b)| a == b).count();
        same as f64 / used.count().max(1) as f64
    }

    /// Numbers of which sketches that are alike have at least one in common.
    pub fn bands(&self) -> impl Iterator<Item = u64> {
        let bands = self.0.chunks(BAND).enumerate();
        bands.filter(|(_, band)| !is_empty(band)).map(|(place, band)| {
            let place = [place as u8].into_iter();
            quick(place.chain(band.iter().flat_map(|least| least.to_le_bytes())))
        })
    }
}

fn is_empty(band: &[u16]) -> bool {
    band.iter().all(|place| *place == EMPTY)
}

/// A sketch that grows with a text.
pub(super) struct Sketcher {
    places: Vec<u64>,
    /// The last words, as numbers.
    run: [u64; RUN],
    /// How many there were.
    words: usize,
}

impl Default for Sketcher {
    fn default() -> Self {
        Self { places: vec![u64::MAX; PLACES], run: [0; RUN], words: 0 }
    }
}

impl Sketcher {
    /// Adds the words of a text.
    pub(super) fn add(&mut self, text: &str) {
        let words = text.split(|c: char| !c.is_alphanumeric());
        for word in words.filter(|word| !word.is_empty()) {
            self.run.rotate_left(1);
            self.run[RUN - 1] = quick(word.to_lowercase().bytes());
            self.words += 1;
            if self.words < RUN {
                continue;
            }
            let run = quick(self.run.iter().flat_map(|word| word.to_le_bytes()));
            let place = &mut self.places[run as usize % PLACES];
            *place = (*place).min(run / PLACES as u64);
        }
    }

    pub(super) fn finish(self) -> Sketch {
        // The least of many numbers has its differences at its end.
        let short = |place: u64| match place {
            u64::MAX => EMPTY,
            place => (place % u64::from(EMPTY)) as u16,
        };
        Sketch(self.places.into_iter().map(short).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::{Sketch, Sketcher};

    fn sketch(text: &str) -> Sketch {
        let mut sketcher = Sketcher::default();
        sketcher.add(text);
        sketcher.finish()
    }

    fn text(from: usize, to: usize) -> String {
        (from..to).map(|word| format!("word{word} ")).collect()
    }

    #[test]
    fn likeness_is_about_what_is_in_common() {
        let whole = sketch(&text(0, 1000));
        assert!(
            (whole.likeness(&sketch(&text(0, 1000).to_uppercase())) - 1.0).abs() < 1e-9
        );
        assert!(whole.likeness(&sketch(&text(1000, 2000))) < 0.1);
        // 950 of 1050 runs, and 500 of 1500.
        assert!((whole.likeness(&sketch(&text(50, 1050))) - 0.9).abs() < 0.1);
        assert!((whole.likeness(&sketch(&text(500, 1500))) - 0.33).abs() < 0.17);
    }

    #[test]
    fn what_is_alike_has_a_band_in_common() {
        let bands = |text: &str| -> Vec<u64> { sketch(text).bands().collect() };
        let whole = bands(&text(0, 1000));
        assert!(bands(&text(30, 1030)).iter().any(|band| whole.contains(band)));
        assert!(!bands(&text(2000, 3000)).iter().any(|band| whole.contains(band)));
        assert!(bands("too few words").is_empty());
    }
}
