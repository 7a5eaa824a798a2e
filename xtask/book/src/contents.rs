//! Reads the book's table of contents.

use std::path::Path;

use crate::{BookPage, CONTENTS};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    page: BookPage,
}

impl Contents {
    /// Reads the table of contents in the project's folder `root`.
    ///
    /// # Errors
    ///
    /// Returns an error if the table of contents can't be read.
    pub fn read(root: &Path) -> Result<Self, String> {
        let page = BookPage::read(root, CONTENTS)?;
        Ok(Self { page })
    }

    /// Returns the paths of the pages, relative to the project's folder.
    pub fn pages(&self) -> Vec<String> {
        let links = self.page.links().into_iter();
        links.map(|link| link.path).collect()
    }

    /// Returns the text for mdBook with the table in the project's folder.
    pub(crate) fn rooted(&self) -> String {
        let links = self.page.links();
        let mut text = String::new();
        for (number, line) in (1..).zip(self.page.text.lines()) {
            let link = links.iter().find(|link| link.line == number);
            text += &link.map_or_else(
                || line.to_owned(),
                |link| {
                    line.replace(
                        &format!("]({})", link.address),
                        &format!("]({})", link.path),
                    )
                },
            );
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_from_the_folder_in_which_the_table_lies() {
        let page = BookPage {
            path: CONTENTS.to_owned(),
            text: "# A\n\n[B](../README.md)\n  - [C](c.md)\n".to_owned(),
        };
        let contents = Contents { page };
        assert_eq!(contents.pages(), ["README.md", "docs/c.md"]);
        assert_eq!(
            contents.rooted(),
            "# A\n\n[B](README.md)\n  - [C](docs/c.md)\n"
        );
    }
}
