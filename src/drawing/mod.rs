//! Draws images: SVG with text in given fonts, as PNG.

mod fonts;
mod lines;

use png::{BitDepth, ColorType, Compression, Encoder};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{FontResolver, ImageHrefResolver, Options, Tree};

pub use self::fonts::{Face, Fonts};
pub use self::lines::{Setting, fit, set};

/// The size of preview images in pixels, which most sites that show links expect.
pub const SIZE: (u32, u32) = (1200, 630);

/// Draws an SVG document as PNG of the [`SIZE`]. It loads nothing. The error says what is wrong
/// with the document.
pub fn draw(svg: &str, fonts: &Fonts) -> Result<Vec<u8>, String> {
    let options = Options {
        fontdb: fonts.database(),
        font_resolver: FontResolver {
            select_font: FontResolver::default_font_selector(),
            // A letter in another weight is better than none.
            select_fallback: Box::new(|c, tried, _| fonts.with_letter(c, tried)),
        },
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let (width, height) = SIZE;
    let mut pixels = Pixmap::new(width, height).ok_or("the image is too large")?;
    resvg::render(&tree, Transform::default(), &mut pixels.as_mut());
    // Transparent areas would be black on some sites and white on others.
    let colors = pixels.pixels().iter().flat_map(|pixel| {
        let white = 255 - pixel.alpha();
        [pixel.red() + white, pixel.green() + white, pixel.blue() + white]
    });
    let colors: Vec<u8> = colors.collect();
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, width, height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    let written = encoder.write_header().and_then(|mut to| to.write_image_data(&colors));
    written.map_err(|error| error.to_string())?;
    Ok(out)
}
