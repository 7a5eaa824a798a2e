//! Adds links from pages to the studio in the book.

use std::fs;
use std::path::Path;

use crate::BookPage;

/// Folder in the book that contains the studio.
pub const STUDIO: &str = "studio";
const SAMPLES: &str = "sample-models";

pub(crate) fn samples(root: &Path) -> Vec<String> {
    let entries = fs::read_dir(root.join(SAMPLES)).into_iter().flatten();
    let names = entries.filter_map(|it| it.ok()?.file_name().into_string().ok());
    let samples = names.filter_map(|it| Some(it.strip_suffix(".uml")?.to_owned()));
    let mut samples: Vec<String> = samples.filter(|it| !it.contains('.')).collect();
    samples.sort();
    samples
}

/// Returns the text of a page. Below its title, links are added that open the page's samples in the
/// studio.
pub(crate) fn with_links(page: &BookPage, samples: &[String]) -> String {
    let folder = if page.path.starts_with(SAMPLES) {
        String::new()
    } else {
        format!("{SAMPLES}/")
    };
    let up = "../".repeat(page.path.matches('/').count());
    let named = samples
        .iter()
        .filter(|it| names(&page.text, &format!("{folder}{it}.uml")));
    let links = named.map(|it| format!("[{it}]({up}{STUDIO}/index.html#sample={it})"));
    let links: Vec<String> = links.collect();
    match page.text.split_once('\n') {
        Some((title, rest)) if !links.is_empty() && title.starts_with("# ") => {
            let links = links.join(", ");
            format!("{title}\n\n*Open in the studio: {links}*\n{rest}")
        }
        _ => page.text.clone(),
    }
}

/// Returns `true` if a text contains a file's name, and not only as the end of a longer name.
fn names(text: &str, file: &str) -> bool {
    text.match_indices(file).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        before.is_none_or(|it| !it.is_alphanumeric() && it != '_' && it != '-')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(path: &str, text: &str) -> String {
        let page = BookPage {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        with_links(&page, &["halo".to_owned(), "lapw0".to_owned()])
    }

    #[test]
    fn pages_link_to_the_models_that_they_name() {
        let text = linked("docs/a.md", "# A\n\nSee `sample-models/lapw0.uml`.\n");
        let link = "*Open in the studio: [lapw0](../studio/index.html#sample=lapw0)*";
        assert_eq!(
            text,
            format!("# A\n\n{link}\n\nSee `sample-models/lapw0.uml`.\n")
        );
        let text = linked(
            "sample-models/README.md",
            "# A\n`halo.uml`, `my_lapw0.uml`\n",
        );
        assert!(
            text.contains("[halo](../studio/index.html#sample=halo)*"),
            "{text}"
        );
    }

    #[test]
    fn other_pages_stay_as_they_are() {
        for text in [
            "# A\n\n`lapw0.uml`\n",
            "no title: sample-models/halo.uml\n",
            "",
        ] {
            assert_eq!(linked("docs/a.md", text), text);
        }
    }
}
