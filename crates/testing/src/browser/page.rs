//! Opens a page in a single file in its own browser.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use super::Browser;

/// A script that waits until the visible charts have been drawn.
pub const PAINTED: &str = "requestAnimationFrame(() => requestAnimationFrame(() => \
                           setTimeout(() => done(null), 50)))";

/// A browser with an open page.
#[derive(Debug)]
pub struct BrowserPage {
    pub browser: Browser,
    file: PathBuf,
    /// The folder of the browser's profile, which is removed after the browser.
    _folder: TempDir,
}

/// Returns the folder in which tests keep pages and pictures, if `PROPHET_REPORTS` is set.
pub fn kept_pages() -> Option<PathBuf> {
    std::env::var_os("PROPHET_REPORTS").map(PathBuf::from)
}

/// Saves a file for people to look at in the folder [`kept_pages`], if it is set.
///
/// # Panics
///
/// Panics if the file can't be written.
pub fn keep_file(name: &str, bytes: &[u8]) {
    if let Some(folder) = kept_pages() {
        std::fs::write(folder.join(name), bytes).expect("the folder can be written");
    }
}

impl BrowserPage {
    /// Writes a page to the file `name` with the extension `.html`, and opens it. If no browser is
    /// installed, skips the test and returns `None`.
    ///
    /// # Panics
    ///
    /// Panics if the file can't be written, and under the same conditions as [`crate::skip`].
    pub fn open(name: &str, html: &str) -> Option<Self> {
        let folder = tempfile::tempdir().expect("there is room for a page");
        let browser = Browser::start(&folder.path().join("profile"))?;
        let kept = kept_pages().unwrap_or_else(|| folder.path().to_owned());
        let file = kept.join(format!("{name}.html"));
        std::fs::write(&file, html).expect("the folder can be written");
        browser.resize(1280, 900);
        browser.open(&file);
        Some(Self {
            browser,
            file,
            _folder: folder,
        })
    }

    pub fn run(&self, script: &str) -> Value {
        self.browser.run(script)
    }

    /// Returns the texts in one column of the rows that match a selector.
    ///
    /// # Panics
    ///
    /// Panics if the page has no rows.
    pub fn column(&self, rows: &str, place: usize) -> Vec<String> {
        let cells = self.run(&format!(
            "return [...document.querySelectorAll('{rows}')]\
             .map((row) => row.children[{place}].textContent)"
        ));
        let cells = cells.as_array().expect("a table has rows").iter();
        let texts = cells.map(|cell| cell.as_str().unwrap_or_default().to_owned());
        texts.collect()
    }

    /// Sets the value of a control, and tells the page about the change.
    pub fn set(&self, id: &str, value: &str) {
        self.run(&format!(
            "const input = document.getElementById('{id}'); input.value = {}; \
             for (const name of ['input', 'change']) \
             input.dispatchEvent(new Event(name, {{ bubbles: true }}))",
            Value::from(value)
        ));
        self.browser.run_async(PAINTED);
    }

    /// Scrolls to an element, and waits until it is drawn, because the browser takes a while to
    /// report what is visible.
    pub fn show(&self, id: &str) {
        self.run(&format!(
            "document.getElementById('{id}').scrollIntoView({{block: 'center'}})"
        ));
        self.browser.run_async(&format!(
            "const empty = () => document.querySelector('#{id} svg:empty'); let frames = 0; \
             const wait = () => {{ \
             if (empty() && ++frames < 600) requestAnimationFrame(wait); else {PAINTED} }}; \
             wait()"
        ));
    }

    /// Waits until a download is complete, and returns the file's content.
    ///
    /// # Panics
    ///
    /// Panics if this takes more than half a minute.
    pub fn saved(&self, folder: &Path, name: &str) -> Vec<u8> {
        for _ in 0..600 {
            if let Ok(bytes) = std::fs::read(folder.join(name))
                && !bytes.is_empty()
            {
                return bytes;
            }
            self.browser.run_async("setTimeout(() => done(null), 50)");
        }
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        panic!("{name} was not saved; there are {names:?}");
    }

    /// Saves a screenshot of the page, as [`keep_file`] saves a file.
    pub fn keep_picture(&self, name: &str, width: u32, scheme: &str) {
        if kept_pages().is_some() {
            let picture = self.browser.picture(width, scheme);
            keep_file(&format!("{name}.png.base64"), picture.as_bytes());
        }
    }

    /// Asserts that the console is empty, and that the page requested nothing but itself and the
    /// files that it saved.
    ///
    /// # Panics
    ///
    /// Panics if either isn't the case.
    pub fn is_quiet(&self) {
        assert_eq!(self.browser.console(), [""; 0]);
        let file = format!("file://{}", self.file.display());
        let asked = self.browser.requests().into_iter();
        let others: Vec<String> = asked
            .filter(|url| *url != file && !url.starts_with("blob:"))
            .collect();
        assert_eq!(others, [""; 0], "the page asks for nothing");
    }
}
