//! The animation in a browser: tokens, steps, stops and variables.

use crate::studio::{ESCAPE, Page, SAMPLE, SHIFT};
use serde_json::json;

const HYBRID: &str = include_str!("../../../sample-models/hybrid.uml");
const PINGPONG: &str = include_str!("../../../sample-models/pingpong.uml");

impl Page {
    /// Opens the papers' sample model on four processes.
    fn sample() -> Option<Self> {
        Self::with(SAMPLE, &[("nodes", "4")])
    }

    /// Opens a model with flags and parameters that have fields.
    fn with(model: &str, flags: &[(&str, &str)]) -> Option<Self> {
        let page = Self::open(model)?;
        for (flag, value) in flags {
            let field = format!(
                "[...document.querySelectorAll('label')] \
                 .find(it => it.textContent == {flag:?})?.nextElementSibling"
            );
            page.until(&field);
            page.browser.run(&format!(
                "const field = {field}; field.value = {value:?}; \
                 field.dispatchEvent(new Event('input', {{bubbles: true}}))"
            ));
        }
        page.browser.press(ESCAPE);
        Some(page)
    }

    /// Shows a diagram by its name.
    fn show_diagram(&self, name: &str) {
        self.browser.run(&format!(
            "const all = document.querySelector('[aria-label=\"All diagrams\"]'); \
             all.value = [...all.options].find(it => it.textContent == {name:?}).value; \
             all.dispatchEvent(new Event('change', {{bubbles: true}}))"
        ));
    }

    /// Waits until the tokens at nodes are these: the node's id, and what is written on them.
    fn tokens(&self, expected: &[(&str, &str)]) {
        let shown = "Object.fromEntries([...document.querySelectorAll('.tokens-of-node')] \
            .map(it => [it.dataset.node, [...it.querySelectorAll('text')] \
            .map(it => it.textContent).join(' ')]))";
        let expected: serde_json::Map<_, _> = { expected.iter() }
            .map(|(node, text)| ((*node).to_owned(), (*text).into()))
            .collect();
        let sorted = |object: &str| format!("JSON.stringify(Object.entries({object}).sort())");
        let expected = serde_json::Value::Object(expected).to_string();
        self.until(&format!("{} == {}", sorted(shown), sorted(&expected)));
    }

    /// Waits for the time and the number of the event in the bar.
    fn moment(&self, text: &str) {
        self.until(&format!(
            "document.querySelector('.moment')?.innerText == {text:?}"
        ));
    }

    fn animate(&self) {
        self.browser.press_while(SHIFT, "a");
        // Steps before the run is there go nowhere.
        self.until("/ of [1-9]/.test(document.querySelector('.moment')?.innerText)");
        self.browser.press(ESCAPE);
    }
}

#[test]
fn processes_move_through_the_drawing_event_by_event() {
    let Some(page) = Page::sample() else {
        return;
    };
    page.animate();
    page.moment("0 s 0 of 28");
    page.tokens(&[("_MainActivity_Initial", "×4")]);
    page.browser.press(".");
    page.moment("0 s 1 of 28");
    page.tokens(&[("_MainActivity_Initial", "1 2 3"), ("_A1", "0")]);
    page.browser.press("...");
    page.tokens(&[("_A1", "×4")]);
    // 121/3.14 s later, process 0 comes to the decision, and then to SA.
    page.browser.press("..");
    page.moment("38.535 s 6 of 28");
    page.tokens(&[("_A1", "1 2 3"), ("_SA", "0")]);
    page.browser.press(",,,,,");
    page.tokens(&[("_MainActivity_Initial", "1 2 3"), ("_A1", "0")]);
    // The others' events are passed over.
    page.browser.press(">");
    page.moment("38.535 s 5 of 28");
    page.browser.press(">>");
    // In SA, it is at its first block; around SA, at its call.
    page.tokens(&[("_A1", "1 2 3"), ("_SA", "0")]);
    page.show_diagram("SA");
    page.tokens(&[("_SA1", "0")]);
    assert_eq!(page.browser.console(), [""; 0]);
}

#[test]
fn the_animation_stops_at_a_node_and_tells_the_variables_there() {
    let Some(page) = Page::sample() else {
        return;
    };
    page.browser
        .click("[data-element-id='_MainActivity_Merge'] .djs-hit");
    page.browser.press_while(SHIFT, "b");
    page.shows("No process stays at this: the animation cannot stop here.");
    page.browser.click("[data-element-id='_A4'] .djs-hit");
    page.browser.press_while(SHIFT, "b");
    page.tokens(&[("_A4", "")]);
    page.animate();
    let pace = "const pace = document.querySelector('[aria-label=\"Pace\"]'); \
        pace.value = '5'; pace.dispatchEvent(new Event('change', {bubbles: true}))";
    page.browser.run(pace);
    page.browser.press(ESCAPE);
    page.browser.press(" ");
    // The last process leaves SA2 first: 112 s and 32/4 s behind A1.
    page.shows("158.54 s");
    page.until("document.querySelector('[aria-label=\"Play\"]')");
    page.tokens(&[("_SA", "0 1 2"), ("_A4", "3")]);
    page.until("document.querySelector('.player .spoken').textContent.includes('computes in A4')");
    page.until("document.querySelector('.whereabouts').innerText.includes('SA2')");
    let value = |name: &str, value: &str| {
        page.until(&format!(
            "[...document.querySelectorAll('.variables tr')] \
             .some(it => it.innerText == {:?})",
            format!("{name}\t{value}")
        ));
    };
    value("GV", "1");
    value("P", "3.14");
    // Without it, the run goes on to its end.
    page.browser.click("[aria-label='Do not stop at A4']");
    page.browser.press(ESCAPE);
    page.browser.press(" ");
    page.moment("194.18 s 28 of 28");
    page.tokens(&[("_MainActivity_Final", "×4")]);
    assert_eq!(page.browser.console(), [""; 0]);
}

#[test]
fn an_edit_changes_the_run_that_is_animated() {
    let Some(page) = Page::sample() else {
        return;
    };
    page.animate();
    page.browser.press(".....");
    page.moment("38.535 s 5 of 28");
    let model = SAMPLE.replace("return 121/P;", "return 10;");
    std::fs::write(page.file(), model).unwrap();
    // The time stays, and more has happened by then.
    page.moment("38.535 s 16 of 28");
    page.browser.click("[aria-label='To the beginning']");
    page.browser.press(".....");
    page.moment("10 s 5 of 28");
    let model = SAMPLE.replace("return 121/P;", "return Nothing();");
    std::fs::write(page.file(), model).unwrap();
    page.until("document.querySelector('.player')?.innerText.includes('the model has problems')");
}

#[test]
fn threads_have_tokens_in_their_region() {
    let flags = [
        ("nodes", "1"),
        ("cpus-per-node", "2"),
        ("processes", "1"),
        ("threads", "2"),
        ("N", "4"),
        ("ITERATIONS", "1"),
    ];
    let Some(page) = Page::with(HYBRID, &flags) else {
        return;
    };
    page.animate();
    page.show_diagram("Sweep");
    page.until("document.querySelector('.crumbs ol').innerText.includes('Sweep')");
    let at_row = "[...document.querySelectorAll('[data-node=_Row] text')] \
        .map(it => it.textContent).join(' ')";
    for _ in 0..40 {
        if page.browser.run(&format!("return {at_row}")) == "0 0.1" {
            break;
        }
        page.browser.press(".");
        page.browser.run_async("setTimeout(() => done(true), 500)");
    }
    page.tokens(&[("_Row", "0 0.1")]);
    // In a small drawing they are as large as before.
    let height = "document.querySelector('.token rect').getBoundingClientRect().height";
    page.browser.press("------");
    page.until(&format!("{height} > 15"));
    // Around the region, they are at it.
    page.show_diagram("Main");
    page.tokens(&[("_Iterate", "0 0.1")]);
    page.browser.click("[data-node=_Iterate] .token:last-child");
    page.until("document.querySelector('#watched').selectedOptions[0].innerText == '0.1'");
    assert_eq!(page.browser.console(), [""; 0]);
}

#[test]
fn a_deadlock_is_played_up_to_where_all_wait() {
    let model = PINGPONG.replace("prophet:bsend", "prophet:brecv");
    let model = model.replace("dest=", "source=");
    let Some(page) = Page::with(&model, &[("nodes", "2")]) else {
        return;
    };
    page.animate();
    page.shows("deadlock: 2 of 2 processes never resume");
    page.browser.press("......");
    page.tokens(&[("_Ping", "0"), ("_Pong", "1")]);
    page.until(
        "document.querySelector('.whereabouts').innerText.startsWith('It stays at SendPing')",
    );
}

#[test]
fn tokens_step_without_moving_where_less_motion_is_asked_for() {
    let Some(page) = Page::sample() else {
        return;
    };
    page.animate();
    page.tokens(&[("_MainActivity_Initial", "×4")]);
    // Tokens on their way are no parts of nodes.
    page.browser.run(
        "window.moving = 0; \
         new MutationObserver(changes => { for (const {addedNodes} of changes) \
         for (const it of addedNodes) if (it.matches('.token')) window.moving += 1 }) \
         .observe(document.querySelector('.tokens'), {childList: true})",
    );
    page.browser.press(".");
    page.tokens(&[("_MainActivity_Initial", "1 2 3"), ("_A1", "0")]);
    assert_eq!(page.browser.run("return window.moving"), 1);
    let less = json!({ "name": "prefers-reduced-motion", "value": "reduce" });
    let media = json!({ "features": [less] });
    page.browser.devtools("Emulation.setEmulatedMedia", &media);
    page.browser.press("..");
    page.tokens(&[("_MainActivity_Initial", "3"), ("_A1", "0 1 2")]);
    assert_eq!(page.browser.run("return window.moving"), 1);
}
