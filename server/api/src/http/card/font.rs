//! The one font of cards, inside the server: what it can draw, and how wide that is.

use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::{FontRef, MetadataProvider};

/// Inter Bold, under the SIL Open Font License (`server/api/assets/inter/LICENSE.txt`).
pub(super) const FILE: &[u8] = include_bytes!("../../../assets/inter/Inter-Bold.ttf");

/// What stands where the font has no letter.
const MISSING: char = '□';

/// The size that widths are measured at.
const MEASURE: f32 = 1000.0;

/// The font's tables.
pub(super) struct Font(FontRef<'static>);

impl Font {
    pub(super) fn embedded() -> Self {
        Self(FontRef::new(FILE).expect("the embedded font is valid"))
    }

    /// The text in letters that the font has. What directs text without being seen is left out.
    pub(super) fn drawable(&self, text: &str) -> String {
        text.chars()
            .filter(|character| !directs(*character))
            .map(|character| {
                if self.has(character) {
                    character
                } else {
                    MISSING
                }
            })
            .collect()
    }

    fn has(&self, character: char) -> bool {
        let glyph = self.0.charmap().map(character);
        glyph.is_some_and(|glyph| glyph.to_u32() != 0)
    }

    /// The text as it fits into `room` pixels, with its size: the largest that fits, and when even the smallest does
    /// not, as much of the text as does.
    pub(super) fn fitted(&self, text: &str, room: f32, sizes: (f32, f32)) -> (String, f32) {
        let (largest, smallest) = sizes;
        let mut text = self.drawable(text);
        let size = room / self.width(&text) * MEASURE;
        if size >= smallest {
            return (text, size.min(largest));
        }
        while text.pop().is_some() {
            let cut = format!("{}…", text.trim_end());
            if self.width(&cut) * smallest / MEASURE <= room {
                return (cut, smallest);
            }
        }
        (text, smallest)
    }

    /// How wide a text is at [`MEASURE`].
    fn width(&self, text: &str) -> f32 {
        let letters = self.0.charmap();
        let metrics = GlyphMetrics::new(&self.0, Size::new(MEASURE), LocationRef::default());
        text.chars()
            .filter_map(|character| metrics.advance_width(letters.map(character)?))
            .sum::<f32>()
            .max(1.0)
    }
}

/// Controls, joiners, marks of direction: names use them to look like other names.
fn directs(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}')
}
