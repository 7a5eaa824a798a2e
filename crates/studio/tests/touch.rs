//! Tests touch screens, and where drawn nodes are placed.

use serde_json::{Value, json};

use crate::studio::{EMPTY, Page};

impl Page {
    fn swipe(&self, from: [f64; 2], to: [f64; 2]) {
        let send = |kind: &str, points: &Value| {
            let event = json!({ "type": kind, "touchPoints": points });
            self.browser.devtools("Input.dispatchTouchEvent", &event);
        };
        send("touchStart", &json!([{ "x": from[0], "y": from[1] }]));
        for step in 1..=8 {
            let part = f64::from(step) / 8.0;
            let at = |axis: usize| from[axis] + part * (to[axis] - from[axis]);
            send("touchMove", &json!([{ "x": at(0), "y": at(1) }]));
        }
        send("touchEnd", &json!([]));
    }

    /// Scrolls to an element, and taps it.
    fn tap(&self, selector: &str) {
        let show =
            format!("document.querySelector({selector:?}).scrollIntoView({{block: 'center'}})");
        self.browser.run(&show);
        let at = self.middle(selector);
        self.swipe(at, at);
    }

    /// Returns the center of an element in the window.
    fn middle(&self, selector: &str) -> [f64; 2] {
        let script = format!(
            "const box = document.querySelector({selector:?}).getBoundingClientRect();
             return [box.left + box.width / 2, box.top + box.height / 2]"
        );
        let place = self.browser.run(&script);
        [0, 1].map(|axis| place[axis].as_f64().unwrap())
    }

    fn telephone(&self) {
        let metrics =
            json!({ "width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true });
        self.browser
            .devtools("Emulation.setDeviceMetricsOverride", &metrics);
        let touch = json!({ "enabled": true });
        self.browser
            .devtools("Emulation.setTouchEmulationEnabled", &touch);
    }

    fn nodes(&self) -> Vec<Value> {
        let script = "fetch('api/state').then(it => it.json()) \
            .then(it => done(it.diagrams[0].nodes))";
        self.browser.run_async(script).as_array().unwrap().clone()
    }

    fn node(&self, id: &str) -> [f64; 4] {
        let nodes = self.nodes();
        let node = nodes.iter().find(|it| it["id"] == id).unwrap();
        ["x", "y", "width", "height"].map(|it| node[it].as_f64().unwrap())
    }

    fn overlaps(&self) -> Vec<String> {
        let nodes = self.nodes();
        let of = |it: &Value| ["x", "y", "width", "height"].map(|key| it[key].as_f64().unwrap());
        let mut found = Vec::new();
        for (at, one) in nodes.iter().enumerate() {
            for other in &nodes[at + 1..] {
                let ([ax, ay, aw, ah], [bx, by, bw, bh]) = (of(one), of(other));
                if ax < bx + bw && bx < ax + aw && ay < by + bh && by < ay + ah {
                    found.push(format!("{} {}", one["name"], other["name"]));
                }
            }
        }
        found
    }
}

#[test]
fn a_finger_draws_moves_and_pans() {
    let Some(page) = Page::open(EMPTY) else {
        return;
    };
    page.telephone();
    page.browser.open_address(&page.address);
    page.until("document.querySelector('.canvas svg') && innerWidth === 390");
    page.shows("Nothing is drawn yet");
    let canvas = page.middle(".canvas");
    page.swipe(page.middle(".palette .entry"), canvas);
    page.until("document.querySelectorAll('.djs-shape').length === 1");
    let [x, y, ..] = {
        let node = &page.nodes()[0];
        ["x", "y"].map(|it| node[it].as_f64().unwrap())
    };
    let shape = page.middle(".djs-shape");
    assert!((shape[0] - canvas[0]).abs() < 12.0 && (shape[1] - canvas[1]).abs() < 12.0);
    page.swipe(shape, [shape[0] + 60.0, shape[1] + 80.0]);
    page.until("document.querySelector('[aria-label=\"Undo: Move\"]')");
    let moved = &page.nodes()[0];
    assert!(
        (moved["x"].as_f64().unwrap() - x - 60.0).abs() < 12.0,
        "{moved}"
    );
    assert!(
        (moved["y"].as_f64().unwrap() - y - 80.0).abs() < 12.0,
        "{moved}"
    );
    // A finger on the background moves the whole drawing.
    let before = page.middle(".djs-shape");
    let ground = [canvas[0] - 100.0, canvas[1] - 100.0];
    page.swipe(ground, [ground[0] + 40.0, ground[1] + 50.0]);
    let after = page.middle(".djs-shape");
    assert!(
        (after[0] - before[0] - 40.0).abs() < 12.0,
        "{before:?} {after:?}"
    );
    assert!(
        (after[1] - before[1] - 50.0).abs() < 12.0,
        "{before:?} {after:?}"
    );
    assert_eq!(page.nodes().len(), 1);
}

#[test]
fn nodes_are_not_dropped_onto_each_other() {
    let Some(page) = Page::lapw0() else {
        return;
    };
    assert_eq!(page.overlaps(), [""; 0]);
    let at = |id: &str| {
        let [x, y] = page.middle(&format!("[data-element-id='{id}'] .uml-node"));
        #[expect(clippy::cast_possible_truncation, reason = "pixels of a window")]
        let whole = (x as i64, y as i64);
        whole
    };
    let before = page.node("_SFT");
    page.browser.drag(at("_SFT"), at("_ETOTAL"), "");
    page.until("document.querySelector('[aria-label=\"Undo: Move\"]')");
    assert!((page.node("_SFT")[1] - before[1]).abs() > 1.0);
    assert_eq!(page.overlaps(), [""; 0]);
    // Wherever it is dropped, it snaps to the grid.
    let (x, y) = at("_SFT");
    page.browser.drag((x, y), (x - 313, y + 3), "");
    page.browser.run_async("setTimeout(done, 500)");
    let [left, top, width, height] = page.node("_SFT");
    for middle in [left + width / 2.0, top + height / 2.0] {
        assert!(
            (middle / 10.0 - (middle / 10.0).round()).abs() < 0.11,
            "{middle}"
        );
    }
    // The same from the palette.
    let [x, y] = page.middle(".palette section:nth-of-type(2) .entry");
    #[expect(clippy::cast_possible_truncation, reason = "pixels of a window")]
    page.browser.drag((x as i64, y as i64), at("_ETOTAL"), "");
    page.until("document.querySelectorAll('.djs-shape').length === 15");
    assert_eq!(page.overlaps(), [""; 0]);
}

#[test]
fn a_finger_opens_files_machines_and_kept_runs() {
    let Some(page) = Page::lapw0() else {
        return;
    };
    page.telephone();
    page.browser.open_address(&page.address);
    page.until("document.querySelector('.canvas svg') && innerWidth === 390");
    for (button, class) in [
        ("Import", "import"),
        ("Machines", "machines"),
        ("Kept runs", "kept"),
    ] {
        page.tap(&format!("[aria-label='{button}']"));
        page.until(&format!("document.querySelector('dialog.{class}[open]')"));
        // No part of a dialog is off the screen.
        let wide =
            format!("return document.querySelector('dialog.{class}').scrollWidth <= innerWidth");
        assert_eq!(page.browser.run(&wide), true, "{button}");
        page.tap(&format!("dialog.{class} .dialog-head button"));
        page.until("!document.querySelector('dialog[open]')");
    }
}
