//! Checks that axe-core finds no problems, and that no page is wider than its window.

use std::fs;
use std::path::Path;

use prophet_testing::{BrowserPage, PAINTED, skip};
use serde_json::{Value, json};

use super::open;
use super::synthetic::{found, sample};

fn checker() -> Option<String> {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../studio/web");
    let script = fs::read_to_string(web.join("node_modules/axe-core/axe.min.js"));
    script
        .map_err(|error| skip(format_args!("npm has not installed axe-core ({error})")))
        .ok()
}

fn findings(page: &BrowserPage) -> Value {
    page.browser.run_async(
        "axe.run(document, {resultTypes: ['violations']}).then(({violations}) => \
         done(violations.filter(it => it.impact == 'serious' || it.impact == 'critical') \
         .map(it => `${it.id}: ${it.help}: ${it.nodes.map(node => node.html).join(' ')}`)), \
         error => done([String(error)]))",
    )
}

#[test]
fn nothing_keeps_anybody_out() {
    let Some(checker) = checker() else {
        return;
    };
    let Some(page) = open("access", &found()) else {
        return;
    };
    page.run(&checker);
    for (scheme, width) in [("light", 1280), ("dark", 1280), ("light", 320)] {
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        page.browser
            .devtools("Emulation.setEmulatedMedia", &features);
        page.browser.resize(width, 8000);
        page.run("document.querySelector('details').open = true");
        page.browser.run_async(PAINTED);
        assert_eq!(findings(&page), json!([]), "{scheme}, {width}");
    }
    page.is_quiet();
}

#[test]
fn pages_fit_their_window() {
    for (name, data) in [("fits", found()), ("fits-sample", sample(500))] {
        let Some(page) = open(name, &data) else {
            return;
        };
        for width in [320, 390, 640, 1024, 1500] {
            page.browser.resize(width, 8000);
            page.browser.run_async(PAINTED);
            let wide = page.run("return document.documentElement.scrollWidth");
            assert_eq!(wide, width, "{name}");
        }
        page.is_quiet();
    }
}
