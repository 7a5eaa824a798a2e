//! Draws the papers' sample model from scratch with the mouse. Only texts are typed.

use crate::studio::{CONTROL, EMPTY, ENTER, Page, TAB};

impl Page {
    /// Drags a palette entry to a place in the window, and returns the id of the new node.
    fn place(&self, entry: &str, to: (i64, i64)) -> String {
        let count = "document.querySelectorAll('.djs-shape').length";
        let before = self.browser.run(&format!("return {count}"));
        let script = format!(
            "const entry = [...document.querySelectorAll('.palette .entry')] \
             .find(it => it.textContent == {entry:?}); \
             entry.scrollIntoView({{ block: 'nearest' }}); \
             const box = entry.getBoundingClientRect(); \
             return [Math.round(box.x + 30), Math.round(box.y + 8)]"
        );
        let from: (i64, i64) = serde_json::from_value(self.browser.run(&script)).unwrap();
        self.browser.drag(from, to, "");
        self.until(&format!(
            "{count} > {before} && document.querySelector('.selected')"
        ));
        self.settle();
        let id = "return document.querySelector('.djs-shape.selected').dataset.elementId";
        self.browser.run(id).as_str().unwrap().to_owned()
    }

    /// Waits until the page no longer mistakes a click for the end of a drag.
    fn settle(&self) {
        self.browser.run_async("setTimeout(() => done(true), 450)");
    }

    /// Clicks a button next to the selection.
    fn pad(&self, button: &str) {
        let selector = format!(".djs-context-pad.open [title^={button:?}]");
        self.until(&format!("document.querySelector('{selector}')"));
        self.browser.click(&selector);
    }

    fn rename(&self, name: &str) {
        self.pad("Rename");
        self.until("document.activeElement.matches('.rename')");
        self.browser.press(name);
        self.browser.press(ENTER);
        self.shows(name);
    }

    /// Clicks a node until it is selected, because a busy page mistakes a click for the end of a
    /// drag.
    fn select(&self, node: &str) {
        let node = format!("[data-element-id='{node}']");
        let is_selected = format!("return document.querySelector(\"{node}.selected\") !== null");
        for _ in 0..10 {
            self.browser.click(&format!("{node} .djs-hit"));
            self.settle();
            if self.browser.run(&is_selected) == true {
                return;
            }
        }
    }

    fn connect(&self, source: &str, target: &str) {
        let count = "document.querySelectorAll('.djs-connection').length";
        let before = self.browser.run(&format!("return {count}"));
        self.select(source);
        self.pad("Connect");
        self.browser
            .click(&format!("[data-element-id='{target}'] .djs-hit"));
        self.until(&format!("{count} > {before}"));
        self.settle();
    }

    /// Replaces the text in the code editor with this label.
    fn fill(&self, label: &str, text: &str) {
        self.browser.click("#tab-element");
        self.write(label, text);
    }

    fn write(&self, label: &str, text: &str) {
        let editor = format!(".code-host[data-label={label:?}]");
        self.until(&format!(
            "document.querySelector('{editor}')?.shadowRoot?.querySelector('.cm-content')"
        ));
        self.browser.click(&editor);
        self.browser.press_while(CONTROL, "a");
        self.browser.press(text);
        self.until(&format!(
            "document.querySelector('{editor}').shadowRoot.textContent.includes({text:?})"
        ));
        self.leave_code();
    }

    fn block(&self, entry: &str, to: (i64, i64), name: &str, cost: &str) -> String {
        let id = self.place(entry, to);
        self.rename(name);
        self.fill("cost", cost);
        id
    }
}

#[test]
fn the_sample_model_is_drawn_by_mouse() {
    let Some(page) = Page::open(EMPTY) else {
        return;
    };
    declare(&page);
    draw(&page);
    page.predicts_sample();
}

fn draw(page: &Page) {
    let initial = page.place("Initial", (600, 120));
    let a1 = page.block("action+", (600, 210), "A1", "FA1()");
    page.write("Code that runs before it", "GV = 1; P = 3.14;");
    let decision = page.place("Decision", (600, 320));
    let sa = page.place("activity+", (460, 430));
    page.rename("SA");
    let a2 = page.block("action+", (760, 430), "A2", "FA2()");
    let merge = page.place("Merge", (600, 540));
    let a4 = page.block("action+", (600, 640), "A4", "FA4(P)");
    let end = page.place("Final", (600, 760));
    for (source, target, guard) in [
        (&initial, &a1, None),
        (&a1, &decision, None),
        (&decision, &sa, Some("GV==1")),
        (&decision, &a2, Some("GV==0")),
        (&sa, &merge, None),
        (&a2, &merge, None),
        (&merge, &a4, None),
        (&a4, &end, None),
    ] {
        page.connect(source, target);
        if let Some(guard) = guard {
            page.fill("Guard", guard);
            page.shows(guard);
        }
    }
    page.browser
        .click(&format!("[data-element-id='{sa}'] .djs-hit"));
    page.pad("Open");
    page.until("document.querySelectorAll('.djs-shape').length == 0");
    let initial = page.place("Initial", (600, 120));
    let sa1 = page.block("action+", (600, 250), "SA1", "FSA1()");
    let sa2 = page.block("allreduce", (600, 400), "SA2", "FSA2(pid)");
    let end = page.place("Final", (600, 520));
    for (source, target) in [(&initial, &sa1), (&sa1, &sa2), (&sa2, &end)] {
        page.connect(source, target);
    }
}

fn declare(page: &Page) {
    page.browser.click("#tab-program");
    for (name, type_name) in [("GV", "Integer"), ("P", "Real")] {
        name_new(page, "Add to Global variables", "v1", name);
        page.browser.press(type_name);
        page.until(&format!("document.activeElement.value == {type_name:?}"));
    }
    for (name, parameters, body) in [
        ("FA1", "", "return 121/P;"),
        ("FA2", "", "return 212;"),
        ("FA4", "double P", "return 3.14 + 2.71*P;"),
        ("FSA1", "", "return 112;"),
        ("FSA2", "long pid", "return 32/(pid+1);"),
    ] {
        name_new(page, "Add a function", "F1", name);
        page.browser.press(parameters);
        let label = format!("Body of {name}");
        page.until(&format!("document.querySelector('[data-label={label:?}]')"));
        page.write(&label, body);
    }
}

/// Clicks a button that adds something, and replaces its initial name.
fn name_new(page: &Page, button: &str, first: &str, name: &str) {
    page.browser.click(&format!("[aria-label={button:?}]"));
    page.until(&format!("document.activeElement.value == {first:?}"));
    page.browser.press(name);
    page.browser.press(TAB);
    page.until(&format!(
        "document.querySelector('[aria-label=\"Delete {name}\"]')"
    ));
}

#[test]
fn dragging_from_the_palette_does_not_scroll_the_drawing() {
    let Some(page) = Page::open(EMPTY) else {
        return;
    };
    let scrolled = || {
        let shift = "return document.querySelector('.djs-container .viewport').getCTM().e";
        page.browser.run(shift)
    };
    let before = scrolled();
    for y in [200, 300, 400] {
        page.place("Merge", (600, y));
    }
    assert_eq!(scrolled(), before);
}
