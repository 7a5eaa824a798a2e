//! Texts of models as new files: UML 2 in UTF-8.

/// A text whose XML declaration says UTF-8.
pub(crate) fn in_utf8(text: &str) -> String {
    let end = text.find("?>").unwrap_or(0);
    let declaration = text[..end].strip_prefix("<?xml").unwrap_or("");
    let said = declaration.split_once("encoding").and_then(|(_, rest)| {
        let rest = rest.trim_start().strip_prefix('=')?.trim_start();
        let quote = rest.chars().next().filter(|it| matches!(it, '"' | '\''))?;
        Some(rest[1..].split_once(quote)?.0)
    });
    match said {
        Some(said) if !said.eq_ignore_ascii_case("utf-8") => {
            format!("{}{}", text[..end].replace(said, "UTF-8"), &text[end..])
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declaration_says_what_is_written() {
        for (text, written) in [
            (
                "<?xml version='1.0' encoding = 'UTF-16'?><UTF-16/>",
                "<?xml version='1.0' encoding = 'UTF-8'?><UTF-16/>",
            ),
            (
                "<?xml version=\"1.0\" encoding=\"windows-1252\"?><a/>",
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a/>",
            ),
            (
                "<?xml version='1.0' encoding='utf-8'?><a/>",
                "<?xml version='1.0' encoding='utf-8'?><a/>",
            ),
            ("<a/>", "<a/>"),
            ("<?xml encoding=", "<?xml encoding="),
        ] {
            assert_eq!(in_utf8(text), written);
        }
    }
}
