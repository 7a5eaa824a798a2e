//! Colors text on a terminal.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Bold,
    Share,
    Compute,
    Communication,
    Wait,
    Hold,
}

/// Colors text, or leaves it unchanged.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ink {
    pub(super) styled: bool,
}

impl Ink {
    pub(super) fn paint(self, style: Style, text: &str) -> String {
        if !self.styled || text.is_empty() {
            return text.to_owned();
        }
        // All terminals support these colors (ECMA-48, Select Graphic Rendition).
        let code = match style {
            Style::Bold => 1,
            Style::Wait => 31,
            Style::Compute => 32,
            Style::Communication => 33,
            Style::Hold => 34,
            Style::Share => 36,
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}
