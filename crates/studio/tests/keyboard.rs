//! The papers' sample model, drawn from nothing by keyboard alone.

use crate::studio::{CONTROL, DOWN, EMPTY, ENTER, ESCAPE, Page, SHIFT, TAB, UP};

impl Page {
    fn press(&self, keys: &str) {
        self.browser.press(keys);
    }

    /// Waits for the element that has the keyboard.
    fn focused(&self, selector: &str) {
        self.until(&format!("document.activeElement.matches({selector:?})"));
    }

    /// Waits until nothing is on its way: the undo names the last edit.
    fn did(&self, edit: &str) {
        let label = format!("Undo: {edit}");
        self.until(&format!("document.querySelector('[aria-label={label:?}]')"));
    }

    /// Appends a node after the selected one; a name only to nodes that have one.
    fn append(&self, kind: &str, name: Option<&str>) {
        let count = "document.querySelectorAll('.djs-shape').length";
        let before = self.browser.run(&format!("return {count}"));
        self.press("a");
        self.focused(".chooser input");
        self.press(kind);
        self.press(ENTER);
        self.until(&format!(
            "{count} > {before} && document.querySelector('.selected')"
        ));
        let Some(name) = name else {
            return;
        };
        self.focused(".rename");
        self.press(name);
        self.press(ENTER);
        self.until(&format!(
            "[...document.querySelectorAll('.uml-name')].some(it => it.textContent == {name:?})"
        ));
        self.focused(".canvas svg");
    }

    /// Types into the editor of code that a key opens.
    fn code(&self, key: &str, text: &str, edit: &str) {
        self.press(key);
        self.type_code(text, edit);
    }

    fn type_code(&self, text: &str, edit: &str) {
        self.focused(".code-host");
        self.press(text);
        self.did(edit);
        self.leave_code();
        self.focused(".canvas svg");
    }

    /// Declares what Shift and a key begin, and leaves the cursor in its second field.
    fn declare(&self, key: &str, name: &str) {
        let first = if key == "F" { "F1" } else { "v1" };
        self.browser.press_while(SHIFT, key);
        self.until(&format!("document.activeElement.value == {first:?}"));
        self.press(name);
        self.press(TAB);
        self.did(&format!("Change {first}"));
    }

    fn back(&self) {
        self.press(ESCAPE);
        self.focused(".canvas svg");
    }
}

#[test]
fn the_sample_model_is_drawn_by_keyboard() {
    let Some(page) = Page::open(EMPTY) else {
        return;
    };
    draw_main(&page);
    draw_called(&page);
    guard(&page);
    declare(&page);
    page.press("/");
    page.focused(".chooser input");
    page.press("A1");
    page.press(ENTER);
    page.code("b", "GV = 1; P = 3.14;", "Code");
    page.predicts_sample();
}

#[test]
fn a_cost_is_edited_again_by_the_same_key() {
    let Some(page) = Page::open(EMPTY) else {
        return;
    };
    page.back();
    page.append("initial", None);
    page.append("action+", Some("A1"));
    for cost in ["12.5", "8", "3"] {
        page.code("e", cost, "Set cost");
        page.until("document.querySelector('.code-host').shadowRoot.textContent.length > 0");
    }
    let text = "return document.querySelector('.code-host').shadowRoot \
        .querySelector('.cm-content').textContent";
    assert_eq!(page.browser.run(text), "3");
}

/// Draws the main diagram, with `SA` beside `A2`.
fn draw_main(page: &Page) {
    page.back();
    page.append("initial", None);
    page.append("action+", Some("A1"));
    page.code("e", "FA1()", "Set cost");
    page.append("decision", None);
    page.append("action+", Some("A2"));
    page.code("e", "FA2()", "Set cost");
    page.append("merge", None);
    page.append("action+", Some("A4"));
    page.code("e", "FA4(P)", "Set cost");
    page.append("final", None);
    page.press(&UP.repeat(4));
    page.append("call", Some("SA"));
    page.press("c");
    page.focused(".chooser input");
    page.press("merge");
    page.press(ENTER);
    page.did("Connect");
}

/// Makes `SA` an `activity+`, and draws what it calls.
fn draw_called(page: &Page) {
    page.press("p");
    page.until("document.activeElement.matches('.panel input')");
    page.press(TAB);
    page.press(DOWN);
    page.did("Stereotype");
    page.back();
    page.press("d");
    page.until("document.querySelector('.crumbs ol').innerText.includes('SA')");
    page.append("initial", None);
    page.append("action+", Some("SA1"));
    page.code("e", "FSA1()", "Set cost");
    page.append("allreduce", Some("SA2"));
    page.code("e", "FSA2(pid)", "Set cost");
    page.append("final", None);
    page.press("u");
    page.until("!document.querySelector('.crumbs ol').innerText.includes('SA')");
}

/// Writes the guards of the decision's flows.
fn guard(page: &Page) {
    page.press(&DOWN.repeat(3));
    for guard in ["GV==0", "GV==1"] {
        page.press("o");
        page.until("document.querySelector('.djs-connection.selected')");
        page.press(ENTER);
        page.type_code(guard, "Guard");
        page.shows(guard);
    }
}

/// Declares the variables and the cost functions.
fn declare(page: &Page) {
    page.declare("V", "GV");
    page.back();
    page.declare("V", "P");
    page.press("Real");
    page.did("Change P");
    page.back();
    for (name, parameters, body) in [
        ("FA1", "", "return 121/P;"),
        ("FA2", "", "return 212;"),
        ("FA4", "double P", "return 3.14 + 2.71*P;"),
        ("FSA1", "", "return 112;"),
        ("FSA2", "long pid", "return 32/(pid+1);"),
    ] {
        page.declare("F", name);
        page.press(parameters);
        page.press(&TAB.repeat(3));
        page.focused(".code-host");
        page.browser.press_while(CONTROL, "a");
        page.type_code(body, &format!("Change {name}"));
    }
}
