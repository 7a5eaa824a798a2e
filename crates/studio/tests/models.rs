//! The page of a folder in a browser: a model is opened, begun, and saved as another.

use std::fs;

use crate::studio::{CONTROL, ENTER, LAPW0, Page};

const CONTROL_SHIFT: &str = "\u{e009}\u{e008}";

#[test]
fn a_model_of_a_folder_is_opened_and_saved_as_another() {
    let Some(page) = Page::open_folder(&[("lapw0.uml", LAPW0)]) else {
        return;
    };
    page.shows("Open a model");
    page.browser.click(".list a");
    page.shows("1,109.5 s");
    // Keys follow as soon as the field is there, so it has the focus at once.
    page.browser.run(
        "new MutationObserver((_, observer) => { \
             const field = document.querySelector('.ask input'); \
             if (field) window.focused = field === document.activeElement; \
             if (field) observer.disconnect(); \
         }).observe(document.body, { childList: true, subtree: true })",
    );
    page.browser.press_while(CONTROL_SHIFT, "s");
    page.until("document.querySelector('.ask input')");
    assert_eq!(page.browser.run("return window.focused"), true);
    page.browser.press_while(CONTROL, "a");
    page.browser.press("lapw0.uml");
    page.browser.press(ENTER);
    page.shows("lapw0.uml is there already");
    page.browser.press_while(CONTROL, "a");
    page.browser.press("copy.uml");
    page.browser.press(ENTER);
    page.until("location.href.endsWith('/m/copy.uml/')");
    page.shows("1,109.5 s");
    assert_eq!(
        fs::read_to_string(page.file_named("copy.uml")).unwrap(),
        LAPW0
    );
    page.browser.click("[aria-label='All models']");
    page.shows("copy.uml");
    // The browser speaks of the answer that the dialog shows.
    let mut messages = page.browser.console();
    messages.retain(|it| !it.contains("422"));
    assert_eq!(messages, [""; 0]);
}

#[test]
fn a_model_begins_as_a_sample() {
    let Some(page) = Page::open_folder(&[]) else {
        return;
    };
    page.shows("There is no model in this folder yet.");
    page.browser.click("#name");
    page.browser.press("mine");
    let label = "[...document.querySelectorAll('fieldset label')]\
        .find(it => it.textContent.startsWith('lapw0'))";
    page.browser
        .run(&format!("{label}.querySelector('input').click()"));
    page.browser.click("form button");
    page.until("location.href.endsWith('/m/mine.uml/')");
    page.shows("1,109.5 s");
    assert_eq!(
        fs::read_to_string(page.file_named("mine.uml")).unwrap(),
        LAPW0
    );
    assert_eq!(page.browser.console(), [""; 0]);
}
