//! Tests the page in headless Chromium: its charts, the effects of keys and controls, and that it
//! requests nothing. Without Chromium (Debian: `chromium`, `chromium-driver`), these tests are
//! skipped.
//!
//! With `PROPHET_REPORTS=FOLDER`, the tests save their pages and screenshots there.

mod access;
mod charts;
mod found;
mod points;
mod synthetic;

use prophet_sweep::page::{PageData, render};
use prophet_testing::{BrowserPage, kept_pages};

const ENTER: &str = "\u{e007}";
const RIGHT: &str = "\u{e014}";
const UP: &str = "\u{e013}";

/// Opens a page, or reports that the test is skipped.
fn open(name: &str, data: &PageData) -> Option<BrowserPage> {
    BrowserPage::open(name, &render(data))
}

/// Saves screenshots of a page in light and dark themes and in a narrow window, if requested.
#[test]
fn pictures() {
    if kept_pages().is_none() {
        return;
    }
    let Some(page) = open("pictures", &synthetic::found()) else {
        return;
    };
    for (name, width, scheme) in [
        ("light", 1280, "light"),
        ("dark", 1280, "dark"),
        ("wide", 1500, "light"),
        ("narrow", 320, "light"),
    ] {
        page.keep_picture(name, width, scheme);
    }
    page.is_quiet();
}
