//! Fonts that are given as files: what they have glyphs for, and how wide text is in them.

use std::sync::Arc;

use resvg::usvg::fontdb::{Database, ID, Query, Source, Weight};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

use crate::hash::Hash;

/// Some fonts and no others: none of the machine's own.
pub struct Fonts {
    database: Arc<Database>,
    /// Changes whenever a file does.
    pub hash: Hash,
}

impl Fonts {
    /// The fonts in these files; what is no font gives none.
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

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.database.is_empty()
    }

    /// Whether a font has a glyph for it, or it is a space, which needs none.
    pub fn has(&self, c: char) -> bool {
        c.is_whitespace() || self.with_letter(c, &[]).is_some()
    }

    /// A font, none of those that were tried, with a glyph for it.
    pub(super) fn with_letter(&self, c: char, tried: &[ID]) -> Option<ID> {
        let has = |id: &ID| self.with(*id, |font| font.charmap().map(c).is_some());
        let faces = self.database.faces().map(|face| face.id);
        let mut left = faces.filter(|id| !tried.contains(id));
        left.find(|id| has(id) == Some(true))
    }

    /// The font of a family, to measure with.
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

/// A font to measure with.
pub struct Face<'a> {
    fonts: &'a Fonts,
    id: Option<ID>,
}

impl Face<'_> {
    /// How wide a text is, in units of the font's size.
    pub fn width(&self, text: &str) -> f32 {
        self.widths(text).iter().sum()
    }

    /// How wide each character of a text is, in units of the font's size; what it has no glyph
    /// for is taken to be square.
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
