//! Parses the tables in `tests/models/EXPECTED.md`, which is for people and tests.

use crate::root;

/// Returns the rows of the table in the section with this title. Cells don't contain backticks.
///
/// # Panics
///
/// Panics if there is no such section.
pub fn rows(title: &str) -> Vec<Vec<String>> {
    let path = root().join("tests/models/EXPECTED.md");
    let text = std::fs::read_to_string(&path).expect("the expectations can be read");
    let start = text
        .find(title)
        .unwrap_or_else(|| panic!("no section {title:?}"));
    let section = &text[start..];
    let end = section[1..]
        .find("\n# ")
        .map_or(section.len(), |end| end + 1);
    section[..end]
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            let cells = line.trim_matches('|').split('|');
            cells.map(|cell| cell.trim().replace('`', "")).collect()
        })
        .collect()
}
