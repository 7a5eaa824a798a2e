//! Tests the page's views in light and dark, and in windows of all sizes.

use std::fs;
use std::path::Path;

use prophet_testing::skip;
use serde_json::{Value, json};

use crate::studio::{CONTROL, ENTER, ESCAPE, LAPW0, Page, SAMPLE, SHIFT};

/// A view: its name, and how to get there from the drawing.
type View = (&'static str, fn(&Page));

const VIEWS: &[View] = &[
    ("the prediction", |page| {
        page.browser.click("#tab-prediction");
    }),
    ("an element", |page| {
        page.browser.press_while(CONTROL, "f");
        page.until("document.activeElement.matches('.chooser input')");
        page.browser.press("SFT");
        page.browser.press(ENTER);
        page.until("document.querySelector('.selected')");
        page.browser.press("p");
        page.until("document.activeElement.value == 'SFT'");
    }),
    ("the program", |page| {
        page.browser.click("#tab-program");
    }),
    ("the animation", |page| {
        page.browser.press_while(SHIFT, "a");
        page.until("document.querySelector('.moment')");
    }),
    ("the report and the critical path", |page| {
        page.browser.press("k");
        page.browser.press_while(SHIFT, "r");
        page.until("document.querySelector('iframe')");
    }),
    ("the shortcuts", |page| {
        page.browser.press("?");
        page.shows("Back to the drawing");
    }),
    ("the comparison", |page| {
        page.browser.press_while(SHIFT, "c");
        page.until("document.querySelector('dialog.compare')");
    }),
    ("the nodes to append", |page| {
        page.browser.press("a");
        page.until("document.activeElement.matches('.chooser input')");
    }),
    ("the import", |page| {
        page.browser.press_while(SHIFT, "i");
        page.until("document.querySelector('dialog.import')");
        let rows = "NAT,time_s\n1,2\n2,4\n4,8\n";
        page.browser.drop_files("main", &[["t.csv", rows]]);
        page.until("document.querySelector('dialog iframe')");
    }),
    ("the machines", |page| {
        page.browser.press_while(SHIFT, "m");
        page.until("document.querySelector('.machines select option')");
        page.browser.run(
            "const field = document.querySelector('.machines select'); field.value = 'gescher';
             field.dispatchEvent(new Event('change', {bubbles: true}))",
        );
        page.until("document.querySelector('dialog.machines img')");
    }),
    ("the kept runs", |page| {
        page.browser.press_while(SHIFT, "k");
        page.until("document.querySelector('.kept .take-files button')");
        page.browser.click(".kept .take-files button");
        page.until("document.querySelector('.kept tbody tr')");
    }),
    ("the search", |page| {
        page.browser.press_while(CONTROL, "f");
        page.until("document.activeElement.matches('.chooser input')");
    }),
];

impl Page {
    fn scheme(&self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        let features = json!({ "features": features });
        self.browser
            .devtools("Emulation.setEmulatedMedia", &features);
    }

    /// Closes dialogs and leaves fields, back to the drawing.
    fn leave(&self) {
        self.browser.press(ESCAPE);
        self.browser.press(ESCAPE);
        self.until("!document.querySelector('dialog[open], .chooser')");
    }
}

/// Returns the checker, if npm has installed it.
fn checker() -> Option<String> {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
    let script = fs::read_to_string(web.join("node_modules/axe-core/axe.min.js"));
    script
        .map_err(|error| skip(format_args!("npm has not installed axe-core ({error})")))
        .ok()
}

/// Returns axe-core's accessibility findings, each with the affected elements.
fn findings(page: &Page) -> Value {
    page.browser.run_async(
        "axe.run(document, {resultTypes: ['violations']}).then(({violations}) => \
         done(violations.filter(it => it.impact != 'minor') \
         .map(it => `${it.id}: ${it.help}: ${it.nodes.map(node => node.html).join(' ')}`)), \
         error => done([String(error)]))",
    )
}

#[test]
fn nothing_keeps_anybody_out_of_a_view() {
    let Some(checker) = checker() else {
        return;
    };
    let Some(page) = Page::lapw0() else {
        return;
    };
    page.browser.run(&checker);
    for scheme in ["light", "dark"] {
        page.scheme(scheme);
        for (name, go) in VIEWS {
            go(&page);
            assert_eq!(findings(&page), json!([]), "{name}, {scheme}");
            page.leave();
        }
    }
}

#[test]
fn nothing_keeps_anybody_out_of_the_list_of_models() {
    let Some(checker) = checker() else {
        return;
    };
    let Some(page) = Page::open_folder(&[("lapw0.uml", LAPW0)]) else {
        return;
    };
    page.shows("lapw0.uml");
    page.browser.run(&checker);
    for scheme in ["light", "dark"] {
        page.scheme(scheme);
        assert_eq!(findings(&page), json!([]), "{scheme}");
    }
}

/// Finds controls that a pointer can't reach after scrolling to them, because something covers them
/// or they are outside of the window.
const LOST: &str = "
    const unseen = 'svg, .spoken, .skip:not(:focus-within), [inert]';
    const shown = (it) => it.checkVisibility() && !it.closest(unseen);
    const controls = [...document.querySelectorAll(
        'button, input, select, textarea, summary, a, .code-host')].filter(shown);
    const lost = controls.filter((it) => {
        it.scrollIntoView({block: 'center', inline: 'center'});
        const {left, top, width, height} = it.getBoundingClientRect();
        if (width === 0 || height === 0) return false;
        const hit = document.elementFromPoint(left + width / 2, top + height / 2);
        return !hit || !(it.contains(hit) || hit.contains(it) || it.labels?.[0]?.contains(hit));
    });
    window.scrollTo(0, 0);
    const wide = document.documentElement.scrollWidth - window.innerWidth;
    return [...lost.map((it) => it.outerHTML.slice(0, 200)), ...(wide > 1 ? [`${wide} px`] : [])]";

#[test]
fn nothing_is_lost_in_any_window() {
    let Some(page) = Page::lapw0() else {
        return;
    };
    // The first size is the usual one in tests; the second is 200% zoom; then narrow, and low.
    for (width, height) in [(1500, 950), (750, 475), (420, 900), (1024, 560), (320, 640)] {
        page.browser.resize(width, height);
        for (name, go) in &VIEWS[..5] {
            go(&page);
            let lost = page.browser.run(LOST);
            assert_eq!(lost, json!([]), "{name} at {width} x {height}");
            page.leave();
        }
        let canvas = "return (({width, height}) => width > 150 && height > 150) \
            (document.querySelector('.canvas').getBoundingClientRect())";
        assert_eq!(page.browser.run(canvas), true, "{width} x {height}");
    }
}

/// Finds texts in the drawing with a contrast below 4.5, which is WCAG's minimum for small text.
/// The checker doesn't test texts in SVG.
const FAINT: &str = "
    const channels = (color) => color.match(/[\\d.]+/g).map(Number);
    const parts = [0.2126, 0.7152, 0.0722];
    const light = (color) => color.reduce((sum, it, at) => {
        const value = it / 255;
        const low = value <= 0.03928;
        return sum + parts[at] * (low ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    }, 0);
    const covers = (shape, {x, y, width, height}) => {
        const box = shape.getBBox();
        const [mx, my] = [x + width / 2, y + height / 2];
        return box.x <= mx && mx <= box.x + box.width && box.y <= my && my <= box.y + box.height;
    };
    return [...document.querySelectorAll('.djs-visual text')].flatMap((text) => {
        let ground = channels(getComputedStyle(document.body).backgroundColor).slice(0, 3);
        for (const shape of text.parentElement.children) {
            if (shape === text) break;
            const {fill, fillOpacity} = getComputedStyle(shape);
            if (shape.localName === 'text' || fill === 'none') continue;
            if (!covers(shape, text.getBBox())) continue;
            const opacity = Number(fillOpacity);
            const mixed = (it, at) => it * opacity + ground[at] * (1 - opacity);
            ground = channels(fill).slice(0, 3).map(mixed);
        }
        const both = [light(channels(getComputedStyle(text).fill)), light(ground)];
        const contrast = (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
        return contrast < 4.5 ? [`${text.textContent}: ${contrast.toFixed(2)}`] : [];
    })";

#[test]
fn the_drawing_can_be_read_on_any_heat() {
    // The block with code takes nearly all of the time.
    let hot = SAMPLE.replace("return 121/P;", "return 1e6/P;");
    assert_ne!(hot, SAMPLE);
    let Some(page) = Page::open(&hot) else {
        return;
    };
    page.until("document.querySelector('.uml-share')");
    page.browser.press("k");
    page.until("document.querySelector('.uml-path-share')");
    for scheme in ["light", "dark"] {
        page.scheme(scheme);
        let texts = page
            .browser
            .run("return document.querySelectorAll('.djs-visual text').length");
        assert!(texts.as_u64().unwrap() > 10, "{texts}");
        assert_eq!(page.browser.run(FAINT), json!([]), "{scheme}");
    }
}
