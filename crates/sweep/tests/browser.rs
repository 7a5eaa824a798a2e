//! Tests of the page in headless Chromium: its charts, the effects of keys and controls, and that
//! it requests nothing. Without Chromium (Debian: `chromium`, `chromium-driver`) these tests are
//! skipped.
//!
//! With `PROPHET_REPORTS=FOLDER`, the tests leave their pages and pictures of them there.

mod access;
mod charts;
mod found;
mod points;
mod synthetic;

use std::path::PathBuf;

use prophet_sweep::page::{Data, render};
use prophet_testing::Browser;
use serde_json::Value;
use tempfile::TempDir;

const ENTER: &str = "\u{e007}";
const RIGHT: &str = "\u{e014}";
const UP: &str = "\u{e013}";

/// Wait until charts on the screen are drawn.
const PAINTED: &str = "requestAnimationFrame(() => requestAnimationFrame(() => \
                       setTimeout(() => done(null), 50)))";

/// A browser with a page open in it.
struct Opened {
    browser: Browser,
    file: PathBuf,
    /// Folder of the browser's profile, which is removed after the browser.
    _folder: TempDir,
}

impl Opened {
    fn run(&self, script: &str) -> Value {
        self.browser.run(script)
    }

    /// Sets a control and tells the page.
    fn set(&self, id: &str, value: &str) {
        self.run(&format!(
            "const input = document.getElementById('{id}'); input.value = {}; \
             for (const name of ['input', 'change']) \
             input.dispatchEvent(new Event(name, {{ bubbles: true }}))",
            Value::from(value)
        ));
        self.browser.run_async(PAINTED);
    }

    /// Brings an element on the screen, so that it is drawn.
    fn show(&self, id: &str) {
        self.run(&format!(
            "document.getElementById('{id}').scrollIntoView({{block: 'center'}})"
        ));
        self.browser.run_async(PAINTED);
    }

    /// Checks that hold at the end of each test.
    fn is_quiet(&self) {
        assert_eq!(self.browser.console(), Vec::<String>::new());
        let file = format!("file://{}", self.file.display());
        let asked = self.browser.requests().into_iter();
        // Files that the page saves are its own.
        let others = asked.filter(|url| *url != file && !url.starts_with("blob:"));
        assert_eq!(
            others.collect::<Vec<_>>(),
            Vec::<String>::new(),
            "it asks for nothing"
        );
    }
}

/// Opens a page, or reports that the test is skipped.
fn open(name: &str, data: &Data) -> Option<Opened> {
    let folder = tempfile::tempdir().expect("there is room for a page");
    let browser = Browser::start(&folder.path().join("profile"))?;
    let file = match reports() {
        Some(kept) => kept.join(format!("{name}.html")),
        None => folder.path().join(format!("{name}.html")),
    };
    std::fs::write(&file, render(data)).expect("the folder can be written");
    browser.resize(1280, 900);
    browser.open(&file);
    Some(Opened {
        browser,
        file,
        _folder: folder,
    })
}

fn reports() -> Option<PathBuf> {
    std::env::var_os("PROPHET_REPORTS").map(PathBuf::from)
}

/// Saves pictures of a page in light, dark and narrow, only if they are wanted.
#[test]
fn pictures() {
    let Some(folder) = reports() else {
        return;
    };
    let Some(page) = open("pictures", &synthetic::found()) else {
        return;
    };
    for (name, width, scheme) in [
        ("light", 1280, "light"),
        ("dark", 1280, "dark"),
        ("wide", 1500, "light"),
        ("narrow", 320, "light"),
    ] {
        let picture = page.browser.picture(width, scheme);
        std::fs::write(folder.join(format!("{name}.png.base64")), picture).unwrap();
    }
    page.is_quiet();
}
