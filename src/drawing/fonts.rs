//! Fonts from files: which glyphs they have, and how wide text is.

use std::sync::Arc;

use resvg::usvg::fontdb::{Database, ID, Query, Source, Weight};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

use crate::hash::Hash;

/// A set of fonts, without those of the machine.
pub struct Fonts {
    database: Arc<Database>,
    /// The hash of the files.
    pub hash: Hash,
}

impl Fonts {
    /// Loads the fonts in these files; ignores files without a font.
    pub fn new(files: Vec<Vec<u8>>) -> Self {
        let hash = Hash::of(&files);
        let mut database = Database::new();
        for file in files {
            database.load_font_source(Source::Binary(Arc::new(file)));
        }
        Self { database: Arc::new(database), hash }
    }

    pub(super) fn database(&self) -> Arc<Database> {
        self.database.clone()
    }

    /// Returns whether there are no fonts.
    pub fn is_empty(&self) -> bool {
        self.database.is_empty()
    }

    /// Returns whether a font has a glyph for a character, or the character is a space, which needs
    /// none.
    pub fn has(&self, c: char) -> bool {
        c.is_whitespace() || self.with_letter(c, &[]).is_some()
    }

    /// Returns another font with a glyph for a character, not one of those that were tried.
    pub(super) fn with_letter(&self, c: char, tried: &[ID]) -> Option<ID> {
        let has = |id: &ID| self.with(*id, |font| font.charmap().map(c).is_some());
        let faces = self.database.faces().map(|face| face.id);
        let mut left = faces.filter(|id| !tried.contains(id));
        left.find(|id| has(id) == Some(true))
    }

    /// Returns the font of a family, for measuring.
    pub fn face(&self, family: &str, weight: u16) -> Face<'_> {
        let families = [resvg::usvg::fontdb::Family::Name(family)];
        let query = Query { families: &families, weight: Weight(weight), ..Query::default() };
        Face { fonts: self, id: self.database.query(&query) }
    }

    fn with<T>(&self, id: ID, ask: impl FnOnce(&FontRef<'_>) -> T) -> Option<T> {
        let ask = |data: &[u8], index| FontRef::from_index(data, index).ok().map(|font| ask(&font));
        self.database.with_face_data(id, ask).flatten()
    }
}

/// A font for measuring.
pub struct Face<'a> {
    fonts: &'a Fonts,
    id: Option<ID>,
}

impl Face<'_> {
    /// Returns the width of a text, in units of the font size.
    pub fn width(&self, text: &str) -> f32 {
        self.widths(text).iter().sum()
    }

    /// Returns the width of each character of a text, in units of the font size; characters without
    /// a glyph count as square.
    pub(super) fn widths(&self, text: &str) -> Vec<f32> {
        let measure = |font: &FontRef<'_>| {
            let (glyphs, metrics) =
                (font.charmap(), font.glyph_metrics(Size::new(1.0), LocationRef::default()));
            let width = |c: char| metrics.advance_width(glyphs.map(c)?);
            text.chars().map(|c| width(c).unwrap_or(1.0)).collect()
        };
        let known = self.id.and_then(|id| self.fonts.with(id, measure));
        known.unwrap_or_else(|| text.chars().map(|_| 1.0).collect())
    }
}
