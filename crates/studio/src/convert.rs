//! Converts models to UML 2 in UTF-8. Models that only need unpacking or decoding keep their form;
//! all others are redrawn.

pub(crate) use prophet_targets::uml::drawn_anew;

/// Changes the XML declaration of a text to UTF-8.
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
mod tests;
