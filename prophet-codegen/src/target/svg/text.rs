//! Estimates the width of text without a font. Uses the widths of Helvetica, which Arial and
//! Liberation Sans share, with some room for wider substitutes.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineStyle {
    /// A stereotype in guillemets.
    Keyword,
    Name,
    /// A tag or a guard.
    Fact,
    Code,
}

impl LineStyle {
    pub(super) const fn class(self) -> &'static str {
        match self {
            Self::Keyword => "keyword",
            Self::Name => "name",
            Self::Fact => "fact",
            Self::Code => "code",
        }
    }

    /// Returns the font size in pixels, as in `style.css`.
    const fn size(self) -> f64 {
        match self {
            Self::Name => 13.0,
            Self::Keyword | Self::Fact | Self::Code => 11.0,
        }
    }

    /// Returns the distance between lines in pixels.
    pub(super) const fn line_height(self) -> f64 {
        match self {
            Self::Name => 17.0,
            Self::Keyword | Self::Fact | Self::Code => 15.0,
        }
    }
}

/// Maximum width of a line. The rest is cut off.
pub(super) const WIDEST: f64 = 280.0;

/// Widths of the characters from `' '` to `'~'`, in thousandths of the font size.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278,
    278, // space to /
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // 0 to ?
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // @ to O
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // P to _
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // ` to o
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, // p to ~
];

fn char_width(c: char, style: LineStyle) -> f64 {
    let ascii = u32::from(c)
        .checked_sub(u32::from(' '))
        .and_then(|at| WIDTHS.get(usize::try_from(at).ok()?));
    let thousandths = match (style, ascii) {
        (LineStyle::Code, Some(_)) => 602.0,
        // DejaVu Sans is wider by a seventh. Bold text is wider by a quarter.
        (LineStyle::Name, Some(width)) => f64::from(*width) * 1.25,
        (_, Some(width)) => f64::from(*width) * 1.14,
        // Latin, Greek, and Cyrillic letters. Most other characters are about as wide as they are
        // high.
        (_, None) if u32::from(c) < 0x1100 => 620.0,
        (_, None) => 1000.0,
    };
    thousandths / 1000.0 * style.size()
}

pub(super) fn width(text: &str, style: LineStyle) -> f64 {
    text.chars().map(|c| char_width(c, style)).sum()
}

/// Returns `text`. If it is wider than [`WIDEST`], it is cut off with an ellipsis.
pub(super) fn clip(text: &str, style: LineStyle) -> String {
    if width(text, style) <= WIDEST {
        return text.to_owned();
    }
    let mut left = WIDEST - char_width('…', style);
    let mut clipped: String = text
        .chars()
        .take_while(|c| {
            left -= char_width(*c, style);
            left >= 0.0
        })
        .collect();
    clipped.push('…');
    clipped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_helvetica_and_a_seventh() {
        assert!((width("Hello", LineStyle::Fact) - 25.058 * 1.14).abs() < 1e-9);
        assert!((width("A1;", LineStyle::Code) - 3.0 * 6.622).abs() < 1e-9);
        assert!(width("日本", LineStyle::Name) > width("ab", LineStyle::Name));
    }

    #[test]
    fn a_long_text_is_cut_to_the_widest_line() {
        assert_eq!(clip("cost = F()", LineStyle::Fact), "cost = F()");
        for style in [
            LineStyle::Keyword,
            LineStyle::Name,
            LineStyle::Fact,
            LineStyle::Code,
        ] {
            let clipped = clip(&"日W ".repeat(10_000), style);
            assert!(clipped.ends_with('…'));
            assert!(width(&clipped, style) <= WIDEST);
            assert!(width(&clipped, style) > WIDEST - 3.0 * style.size());
        }
    }
}
