//! Makes untrusted texts safe to display.

/// Renders untrusted text for a terminal. Control characters are made harmless, and text of more
/// than `most` characters is truncated.
pub(crate) fn plain(text: &str, most: usize) -> String {
    let shown = prophet_text::plain::line(text);
    if shown.chars().count() <= most {
        return shown;
    }
    let kept = shown.chars().take(most.saturating_sub(1));
    kept.chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_cannot_write_on_the_terminal() {
        assert_eq!(plain("a\u{1b}[2J\u{202e}b", 80), "a\\u{1b}[2J\\u{202e}b");
        assert_eq!(plain("abcdef", 4), "abc…");
    }
}
