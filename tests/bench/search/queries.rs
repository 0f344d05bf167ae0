//! Reproducible random queries.

/// Reproducible pseudo-random numbers: xorshift64.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        // The upper half is the more random one.
        (self.0 >> 32) as usize % end
    }
}

/// Draws queries from the texts of a corpus.
pub(crate) struct Draw<'a> {
    pub(crate) sources: &'a [String],
    pub(crate) dice: Dice,
}

impl Draw<'_> {
    /// One to three words of a turn.
    pub(crate) fn query(&mut self) -> String {
        let dice = &mut self.dice;
        let turns = loop {
            let turns = spoken(&self.sources[dice.below(self.sources.len())]);
            if !turns.is_empty() {
                break turns;
            }
        };
        let mut place = dice.below(turns.iter().map(Vec::len).sum());
        let turn = turns.iter().find(|words| {
            let is_here = place < words.len();
            place = place.wrapping_sub(if is_here { 0 } else { words.len() });
            is_here
        });
        let turn = turn.expect("the place is in a turn");
        let mut words = vec![turn[place]];
        for _ in 0..dice.below(3) {
            let word = turn[dice.below(turn.len())];
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words.join(" ")
    }
}

/// The words of each turn of a convo file, except empty ones.
pub(crate) fn spoken(source: &str) -> Vec<Vec<&str>> {
    let text = source.rsplit_once("\n----\n").map_or(source, |(text, _)| text);
    let mut turns: Vec<Vec<&str>> = Vec::new();
    for line in text.lines() {
        if line.starts_with("### @") {
            turns.push(Vec::new());
        } else if let Some(turn) = turns.last_mut() {
            let words = line.split(|c: char| !c.is_alphanumeric());
            turn.extend(words.filter(|word| word.chars().nth(1).is_some()));
        }
    }
    turns.retain(|turn| !turn.is_empty());
    turns
}
