//! Edits values in TOML machine files without changing any other byte.

use prophet_text::{Problem, problem};
use std::ops::Range;

use toml::de::{DeTable, DeValue};

/// A value in a TOML file, with its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Name of the table with the value, followed by a number if several tables have this name;
    /// empty at the top level.
    pub table: String,
    pub key: String,
    /// The value: a string without quotes, or another value as written.
    pub value: String,
    /// Byte range of the value in the text.
    pub range: Range<usize>,
}

/// Lists all values in a TOML text, in text order.
///
/// # Errors
///
/// Returns an error if the text isn't valid TOML.
pub fn fields(text: &str) -> Result<Vec<Field>, Problem> {
    let root = parsed(text)?;
    let mut fields = Vec::new();
    add(text, "", &root, &mut fields);
    fields.sort_by_key(|it| it.range.start);
    Ok(fields)
}

/// Adds the values of a table and its subtables. Machine files aren't nested any deeper.
fn add(text: &str, table: &str, of: &DeTable<'_>, fields: &mut Vec<Field>) {
    for (key, value) in of {
        let (key, range) = (key.get_ref().to_string(), value.span());
        match value.get_ref() {
            DeValue::Table(inner) if table.is_empty() => add(text, &key, inner, fields),
            DeValue::Array(all) if all.iter().all(|it| it.get_ref().is_table()) => {
                let tables = all.iter().filter_map(|it| it.get_ref().as_table());
                for (number, inner) in (1..).zip(tables).filter(|_| table.is_empty()) {
                    add(text, &format!("{key} {number}"), inner, fields);
                }
            }
            known => fields.push(Field {
                table: table.to_owned(),
                key,
                value: match known {
                    DeValue::String(text) => text.to_string(),
                    _ => text.get(range.clone()).unwrap_or_default().to_owned(),
                },
                range,
            }),
        }
    }
}

/// Returns the text with another value at `range`. The new value becomes a string if the old value
/// was a string, or if it wouldn't be valid TOML otherwise. If `value` is empty, the field's lines
/// are removed.
///
/// # Errors
///
/// Returns an error if there is no value at the range, or if a field to remove shares its lines
/// with other fields.
pub fn replaced(text: &str, range: &Range<usize>, value: &str) -> Result<String, Problem> {
    let all = fields(text)?;
    if !all.iter().any(|it| it.range == *range) {
        return Err("there is no value at that place".into());
    }
    if value.trim().is_empty() {
        let left = with(text, &lines(text, range), "");
        let is_one = fields(&left).is_ok_and(|it| it.len() + 1 == all.len());
        let shares = "the line contains other values as well\nhelp: change the whole file";
        return is_one.then_some(left).ok_or_else(|| shares.into());
    }
    let is_text = text[range.clone()].starts_with(['"', '\'']);
    let plain = with(text, range, value);
    let is_one = fields(&plain).is_ok_and(|it| it.len() == all.len());
    if is_text || !is_one {
        return Ok(with(text, range, &quoted(value)));
    }
    Ok(plain)
}

/// Returns the range of all lines that a range touches, including the last newline.
fn lines(text: &str, range: &Range<usize>) -> Range<usize> {
    let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[range.end..].find('\n');
    start..end.map_or(text.len(), |at| range.end + at + 1)
}

fn with(text: &str, range: &Range<usize>, value: &str) -> String {
    format!("{}{value}{}", &text[..range.start], &text[range.end..])
}

/// Returns the text with another value for a key. A missing key is added after the last key of the
/// table.
///
/// # Errors
///
/// Returns an error if the table is missing, or if the key is a table itself.
pub fn set(text: &str, table: Option<&str>, key: &str, value: &str) -> Result<String, Problem> {
    let root = parsed(text)?;
    let of = match table.map(|name| entry(&root, name)) {
        None => &root,
        Some(Some((DeValue::Table(table), _))) => table,
        Some(_) => return Err(problem!("missing table `{}`", table.unwrap_or_default())),
    };
    if let Some((known, range)) = entry(of, key) {
        if matches!(known, DeValue::Table(_)) {
            return Err(problem!(
                "`[{key}]` is a table, which a flag cannot replace\n\
                 help: omit --{key}, or change the file"
            ));
        }
        return Ok(with(text, &range, value));
    }
    // A table ends where the next one starts, so only plain values show where to add a key.
    let is_plain = |it: &&DeValue<'_>| !matches!(it, DeValue::Table(_) | DeValue::Array(_));
    let values = of.iter().map(|it| (it.1.get_ref(), it.1.span()));
    let ends = values.filter(|it| is_plain(&it.0)).map(|it| it.1.end);
    let end = ends.max().ok_or("it has no values")?;
    Ok(format!("{}\n{key} = {value}{}", &text[..end], &text[end..]))
}

/// Parses a TOML text.
///
/// # Errors
///
/// Returns an error if the text isn't valid TOML.
pub fn parsed(text: &str) -> Result<DeTable<'_>, Problem> {
    let root = DeTable::parse(text).map_err(|error| error.message().to_owned())?;
    Ok(root.into_inner())
}

/// Returns the value of a key in a table, and its range in the text.
pub fn entry<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Option<(&'t DeValue<'i>, Range<usize>)> {
    let mut entries = table.iter();
    let (_, value) = entries.find(|(name, _)| name.get_ref().as_ref() as &str == key)?;
    Some((value.get_ref(), value.span()))
}

/// Formats a text as a TOML string in quotes.
pub fn quoted(text: &str) -> String {
    let lines = text.split('\n').map(prophet_text::plain::between_quotes);
    format!("\"{}\"", lines.collect::<Vec<_>>().join("\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Ours\nname = \"m\" # a word\nnodes = 4\n\n[network]\nmodel = 'shared'\n\
        \n[[cache]]\nlevel = 1\n\n[[cache]]\nlevel = 2\nsize = \"1MiB\"\n";

    fn at(table: &str, key: &str) -> Field {
        let all = fields(TEXT).unwrap().into_iter();
        let mut found = all.filter(|it| it.table == table && it.key == key);
        found.next().unwrap()
    }

    #[test]
    fn all_values_have_their_tables() {
        let all = fields(TEXT).unwrap();
        let told: Vec<String> = all
            .iter()
            .map(|it| format!("{}/{}={}", it.table, it.key, it.value))
            .collect();
        let expected = [
            "/name=m",
            "/nodes=4",
            "network/model=shared",
            "cache 1/level=1",
            "cache 2/level=2",
            "cache 2/size=1MiB",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn only_the_value_changes() {
        for (table, key, value, old, new) in [
            ("", "name", "a\"b", "\"m\"", "\"a\\\"b\""),
            ("", "nodes", "8", "= 4", "= 8"),
            ("", "nodes", "eight", "= 4", "= \"eight\""),
            ("", "nodes", "1\nx = 2", "= 4", "= \"1\\nx = 2\""),
            ("cache 2", "size", "2MiB", "1MiB", "2MiB"),
        ] {
            let text = replaced(TEXT, &at(table, key).range, value).unwrap();
            assert_eq!(text, TEXT.replace(old, new), "{key} {value}");
        }
        assert!(replaced(TEXT, &(0..3), "x").is_err());
    }

    #[test]
    fn an_emptied_value_is_removed_with_its_key() {
        let without = |table, key| replaced(TEXT, &at(table, key).range, " ").unwrap();
        assert_eq!(without("", "nodes"), TEXT.replace("nodes = 4\n", ""));
        let last = TEXT.replace("size = \"1MiB\"\n", "");
        assert_eq!(without("cache 2", "size"), last);
        let text = "sizes = [\n 1,\n 2,\n]\nlink = { latency = 1, bandwidth = 2 }\n";
        let of = |key: &str| fields(text).unwrap().into_iter().find(|it| it.key == key);
        let sizes = of("sizes").unwrap().range;
        assert_eq!(
            replaced(text, &sizes, ""),
            Ok(text[text.find("link").unwrap()..].to_owned())
        );
        assert_eq!(
            replaced(text, &of("latency").unwrap().range, ""),
            Err("the line contains other values as well\nhelp: change the whole file".into())
        );
    }
}
