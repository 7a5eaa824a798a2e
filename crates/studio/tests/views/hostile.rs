//! Tests that the page shows texts of an untrusted model only as text.

use prophet_edit::{Document, Edit};

use crate::studio::{CONTROL, ESCAPE, LAPW0, Page};

const HOSTILE: &[&str] = &[
    "<img src=x onerror=\"window.hit=1;alert(1)\" class=hit>",
    "\"><script class=hit>window.hit=1</script>",
    "</text></svg><iframe class=hit srcdoc='<script>top.hit=1</script>'></iframe>",
    "javascript:window.hit=1",
    "{{constructor.constructor('window.hit=1')()}} ${window.hit=1} <%= hit %>",
    "]]><b class=hit>bold</b><!--",
    "\u{202e}txet desrever\u{202c} \u{7}\u{1b}[31m\u{200b}\u{feff}",
    "__proto__",
    "</title><base class=hit href=//evil.example>",
];

/// Returns LAPW0 with hostile text in all places, and a name of a megabyte.
fn model() -> String {
    let mut document = Document::new(LAPW0.to_owned());
    let mut number = 0;
    let mut text = || {
        number += 1;
        HOSTILE[number % HOSTILE.len()].to_owned()
    };
    let mut edits = Vec::new();
    let ids = LAPW0
        .split("xmi:id=\"")
        .skip(1)
        .filter_map(|it| it.split('"').next());
    for id in ids {
        let element = id.to_owned();
        let elsewhere = element.clone();
        edits.push(vec![Edit::Rename {
            element,
            name: text(),
        }]);
        edits.push(vec![Edit::Comment {
            element: elsewhere,
            text: Some(text()),
        }]);
    }
    let long = "<i class=hit>long</i>".repeat(50_000);
    edits.push(vec![Edit::Rename {
        element: "_SFT".to_owned(),
        name: long,
    }]);
    for tag in ["cost", "code", "id", "size"] {
        let (element, tag) = ("_ETOTAL".to_owned(), tag.to_owned());
        edits.push(vec![Edit::Tag {
            element,
            tag,
            value: Some(text()),
        }]);
    }
    let made = edits
        .into_iter()
        .filter(|it| document.apply("Harm", it).is_ok());
    assert!(made.count() > 60);
    document.text().to_owned()
}

#[test]
fn hostile_texts_are_shown_as_texts() {
    let Some(page) = Page::open(&model()) else {
        return;
    };
    let harmless = |view: &str| {
        let hits = "return [...document.querySelectorAll('.hit, iframe, script:not([src]), img')] \
            .map(it => it.outerHTML).concat(window.hit ?? [])";
        assert_eq!(page.browser.run(hits), serde_json::json!([]), "{view}");
    };
    page.until("document.querySelectorAll('.djs-shape').length == 14");
    page.shows("<img src=x");
    harmless("the drawing");
    for tab in ["element", "program", "animation", "prediction"] {
        page.browser.click("[data-element-id='_ETOTAL'] .djs-hit");
        page.browser.click(&format!("#tab-{tab}"));
        harmless(tab);
    }
    page.browser.click(".problems-head");
    harmless("the problems");
    page.browser.press(ESCAPE);
    page.browser.press_while(CONTROL, "f");
    page.until("document.querySelector('.chooser')");
    harmless("the search");
    page.browser.press(ESCAPE);
    page.browser.click("[data-element-id='_SFT'] .djs-hit");
    page.browser.press("p");
    page.until("document.activeElement.value?.length > 1000000");
    harmless("the long name");
    let refused: Vec<String> = { page.browser.console().into_iter() }
        .filter(|it| it.contains("Content Security Policy"))
        .collect();
    assert_eq!(refused, [""; 0]);
}
