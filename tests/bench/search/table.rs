//! The measurements, side by side.

/// The name of the row for the share of the ten best conversations among the first ten.
pub(crate) const RECALL: [&str; 4] =
    ["recall@10 of exact BM25", "… queries of one word", "… of two words", "… of three words"];
/// The name of a row that is written in two places.
pub(crate) const FURTHER_BYTES: &str = "further query, p50 KB";

/// Measures with a cell for each program, in the order in which they came.
#[derive(Default)]
pub(crate) struct Table(pub(crate) Vec<(&'static str, [String; 2])>);

impl Table {
    pub(crate) fn ours(&mut self, name: &'static str, cell: String) {
        self.set(name, 0, cell);
    }

    pub(crate) fn theirs(&mut self, name: &'static str, cell: String) {
        self.set(name, 1, cell);
    }

    pub(crate) fn set(&mut self, name: &'static str, column: usize, cell: String) {
        if let Some((_, cells)) = self.0.iter_mut().find(|(known, _)| *known == name) {
            cells[column] = cell;
        } else {
            let mut cells = ["–", "–"].map(str::to_owned);
            cells[column] = cell;
            self.0.push((name, cells));
        }
    }

    pub(crate) fn print(&self) {
        println!("| | convo-site | Pagefind |\n|---|---:|---:|");
        for (name, [ours, theirs]) in &self.0 {
            println!("| {name} | {ours} | {theirs} |");
        }
    }
}
