//! Updates the page that shows the figures: `docs/accuracy.md`.

use std::fs;
use std::path::Path;

use prophet_text::between;

use crate::table::HEADING;
use crate::{AccuracyCase, CASES, Found};

const PAGE: &str = "docs/accuracy.md";

const ALL: &str = "all cases";

/// The text of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pages {
    /// The text of the page, with all figures.
    pub page: String,
}

impl Pages {
    /// Reads the page in the project's folder.
    ///
    /// # Errors
    ///
    /// Returns an error with the reason if the page can't be read.
    pub fn read(root: &Path) -> Result<Self, String> {
        let page = fs::read_to_string(root.join(PAGE))
            .map_err(|error| format!("cannot read {PAGE}: {error}"))?;
        Ok(Self { page })
    }

    /// Writes the page.
    ///
    /// # Errors
    ///
    /// Returns an error with the reason if the page can't be written.
    pub fn write(&self, root: &Path) -> Result<(), String> {
        prophet_files::write(&root.join(PAGE), &self.page)
            .map_err(|error| format!("cannot write {PAGE}: {error}"))
    }

    /// Replaces the figures of one case on the page. All other figures stay the same.
    ///
    /// # Errors
    ///
    /// Returns an error if the page lacks the marks around the figures.
    pub fn take(&mut self, case: &AccuracyCase, found: &Found) -> Result<(), String> {
        let lines: String = found.rows.iter().map(|row| row.line(case.name)).collect();
        replace(&mut self.page, PAGE, ALL, |table| {
            HEADING.to_owned() + &with(table, case.name, &lines)
        })?;
        if !found.details.is_empty() {
            replace(&mut self.page, PAGE, case.name, |_| found.details.clone())?;
        }
        Ok(())
    }
}

/// Replaces the text between the marks of `what`.
fn replace(
    text: &mut String,
    file: &str,
    what: &str,
    by: impl Fn(&str) -> String,
) -> Result<(), String> {
    let begin = format!("<!-- What follows is written by `cargo xtask accuracy`: {what}. -->\n");
    let end = format!("<!-- End of {what}. -->\n");
    let old = between(text, &begin, &end).ok_or_else(|| {
        format!("{file} does not contain the markers around the generated part:\n{begin}{end}")
    })?;
    let new = format!("\n{}\n", by(&text[old.clone()]).trim_end());
    text.replace_range(old, &(new + "\n"));
    Ok(())
}

/// Replaces a case's lines in a table without a heading, in the order of cases.
fn with(table: &str, case: &str, lines: &str) -> String {
    let of = |name: &str| {
        let begin = format!("| {name} |");
        let rows = table.split_inclusive('\n');
        rows.filter(|line| line.starts_with(&begin))
            .collect::<String>()
    };
    let rows = CASES.iter().map(|it| {
        if it.name == case {
            lines.to_owned()
        } else {
            of(it.name)
        }
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Errors, Row};

    fn marked(what: &str, inside: &str) -> String {
        format!(
            "<!-- What follows is written by `cargo xtask accuracy`: {what}. -->\n{inside}\
             <!-- End of {what}. -->\n"
        )
    }

    #[test]
    fn rows_of_other_cases_stay() {
        let (first, last) = (&CASES[0], &CASES[1]);
        let old = format!("\n| {} | old |\n| {} | kept |\n\n", first.name, last.name);
        let mut pages = Pages {
            page: "above\n".to_owned() + &marked(ALL, &old) + "below\n",
        };
        let row = Row::new("new", &Errors::new([(1.0, 2.0)]));
        let found = Found {
            rows: vec![row.clone()],
            details: String::new(),
        };
        pages.take(first, &found).expect("the marks are there");
        let line = row.line(first.name);
        let table = format!("\n{HEADING}{line}| {} | kept |\n\n", last.name);
        let page = "above\n".to_owned() + &marked(ALL, &table) + "below\n";
        assert_eq!(pages.page, page);
    }

    #[test]
    fn a_page_without_marks_is_told() {
        let mut text = "no marks".to_owned();
        let problem = replace(&mut text, PAGE, "X", |_| String::new());
        assert_eq!(
            problem.expect_err("the page has no marks"),
            "docs/accuracy.md does not contain the markers around the generated part:\n\
             <!-- What follows is written by `cargo xtask accuracy`: X. -->\n\
             <!-- End of X. -->\n"
        );
    }
}
