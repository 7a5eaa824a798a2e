//! Quotes untrusted names in error messages.

/// Quotes an untrusted name so that it is safe to print, and limits its length.
///
/// ```
/// assert_eq!(prophet_workflow::quoted("a\u{1b}[2J"), r"`a\u{1b}[2J`");
/// ```
pub fn quoted(name: &str) -> String {
    const LONGEST: usize = 80;
    let mut chars = name.chars();
    let shown: String = chars.by_ref().take(LONGEST).collect();
    let rest = if chars.next().is_some() { "…" } else { "" };
    format!("`{}{rest}`", prophet_text::plain::line(&shown))
}
