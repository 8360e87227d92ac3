//! Numeric annotation glyphs (NAGs) with the signs and words that people and programs write for them.

use crate::tools::contracts::format::Glyph;

/// Creates a glyph. `forms` are the texts that mean it, the usual one first.
const fn glyph(number: u16, forms: &'static [&'static str], text: &'static str) -> Glyph {
    Glyph { number, forms, text }
}

/// The glyphs that have a sign or a word. Others are shown by their numbers.
pub const GLYPHS: &[Glyph] = &[
    glyph(1, &["!"], "good move"),
    glyph(2, &["?"], "mistake"),
    glyph(3, &["!!", "‼"], "brilliant move"),
    glyph(4, &["??", "⁇"], "blunder"),
    glyph(5, &["!?", "⁉"], "interesting move"),
    glyph(6, &["?!", "⁈"], "dubious move"),
    glyph(7, &["□"], "only move"),
    glyph(10, &["="], "equal"),
    glyph(13, &["∞"], "unclear"),
    glyph(14, &["⩲", "+="], "White is slightly better"),
    glyph(15, &["⩱", "=+"], "Black is slightly better"),
    glyph(16, &["±", "+/-", "+/−"], "White is better"),
    glyph(17, &["∓", "-/+", "−/+"], "Black is better"),
    glyph(18, &["+-"], "White is winning"),
    glyph(19, &["-+"], "Black is winning"),
    glyph(22, &["⨀", "zz"], "zugzwang"),
    glyph(32, &["⟳"], "lead in development"),
    glyph(36, &["↑"], "initiative"),
    glyph(40, &["→"], "attack"),
    glyph(44, &["=∞", "⯹"], "compensation"),
    glyph(132, &["⇆"], "counterplay"),
    glyph(138, &["⊕"], "time trouble"),
    glyph(140, &["∆", "△"], "with the idea"),
    glyph(142, &["⌓"], "better is"),
    glyph(145, &["RR"], "editorial comment"),
    glyph(146, &["N", "TN"], "novelty"),
    glyph(220, &["D"], "diagram"),
];

/// Returns the glyphs of a word, or of the signs after a move, in their order; `None` if it is neither.
/// Check signs and punctuation between them are skipped.
pub fn read(text: &str) -> Option<Vec<u16>> {
    let forms =
        || GLYPHS.iter().flat_map(|glyph| glyph.forms.iter().map(move |form| (*form, glyph)));
    if let Some((_, glyph)) = forms().find(|(form, _)| *form == text) {
        return Some(vec![glyph.number]);
    }
    if text.contains(char::is_alphanumeric) {
        return None;
    }
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let longest = forms().filter(|(form, _)| rest.starts_with(form));
        let longest = longest.max_by_key(|(form, _)| form.len());
        found.extend(longest.map(|(_, glyph)| glyph.number));
        rest = &rest[longest.map_or(sign.len_utf8(), |(form, _)| form.len())..];
    }
    Some(found)
}

/// Returns the number of a sign, for a mark of an analysis.
pub fn number_of(sign: &str) -> Option<u16> {
    read(sign)?.first().copied()
}
