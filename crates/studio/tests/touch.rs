//! Fingers, and where what is drawn comes to lie.

use serde_json::{Value, json};

use crate::studio::{EMPTY, ENTER, Page};

impl Page {
    /// Moves a finger over the page.
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

    /// The middle of an element in the window.
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

    /// The nodes of the first diagram.
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

    /// Nodes that lie on each other.
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
    // A finger on the ground moves all of it.
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
    // Wherever it is let go, it lies on the grid.
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
    // From the palette likewise.
    let [x, y] = page.middle(".palette section:nth-of-type(2) .entry");
    #[expect(clippy::cast_possible_truncation, reason = "pixels of a window")]
    page.browser.drag((x as i64, y as i64), at("_ETOTAL"), "");
    page.until("document.querySelectorAll('.djs-shape').length === 15");
    assert_eq!(page.overlaps(), [""; 0]);
}

/// Flows whose lines cross nodes other than their ends, and those whose buttons cover a node.
const CROSSED: &str = "
    const inside = (x, y, box) => x > box.left + 1 && x < box.right - 1 &&
        y > box.top + 1 && y < box.bottom - 1;
    const nodes = [...document.querySelectorAll('.djs-shape .uml-node, .djs-shape .uml-solid')];
    const boxes = nodes.map(it => it.getBoundingClientRect());
    return [...document.querySelectorAll('.uml-flow')].flatMap(line => {
        const to = line.getScreenCTM();
        const length = line.getTotalLength();
        const crossed = [];
        for (let at = 12; at < length - 12; at += 4) {
            const {x, y} = line.getPointAtLength(at).matrixTransform(to);
            if (boxes.some(box => inside(x, y, box))) crossed.push(`${x} ${y}`);
        }
        return crossed.slice(0, 1);
    })";

#[test]
fn a_flow_back_is_led_around_the_nodes_between_and_its_buttons_cover_none() {
    let Some(page) = Page::lapw0() else {
        return;
    };
    assert_eq!(page.browser.run(CROSSED), json!([]));
    // Back to the first node, past all others.
    page.browser.press("/");
    page.browser.press("Output3");
    page.browser.press(ENTER);
    for target in ["Calculate", "ETOTAL"] {
        page.browser.press("c");
        page.browser.press(target);
        page.browser.press(ENTER);
    }
    page.until("document.querySelectorAll('.uml-flow').length === 17");
    assert_eq!(page.browser.run(CROSSED), json!([]));
    for _ in 0..4 {
        page.browser.press("o");
        page.until("document.querySelector('.djs-context-pad.open .pad-entry')");
        page.browser.run_async("setTimeout(done, 200)");
        let covered = page.browser.run(
            "const pads = [...document.querySelectorAll('.djs-context-pad .pad-entry')];
             const nodes = [...document.querySelectorAll('.djs-shape .uml-node')];
             const boxes = (all) => all.map(it => it.getBoundingClientRect());
             return boxes(pads).some(pad => boxes(nodes).some(node => pad.left < node.right &&
                 node.left < pad.right && pad.top < node.bottom && node.top < pad.bottom))",
        );
        assert_eq!(covered, false);
    }
}

#[test]
fn no_flow_leaves_a_final_node() {
    let Some(page) = Page::lapw0() else {
        return;
    };
    page.browser
        .click("[data-element-id='_LAPW0_Final'] .djs-hit");
    page.until("document.querySelector('.selected')");
    for key in ["c", "a"] {
        page.browser.press(key);
        page.shows("No flow leaves this node");
        page.until("!document.querySelector('.chooser')");
        page.browser.click("[aria-label='Dismiss']");
    }
}

#[test]
fn a_large_diagram_opens_at_a_size_that_can_be_read() {
    let Some(page) = Page::open(EMPTY) else {
        return;
    };
    let nodes = "
        const edits = [...Array(200).keys()].flatMap(at => [{do: 'add-node', diagram: state.main,
            kind: at === 0 ? 'InitialNode' : 'OpaqueAction', name: `Step${at}`, stereotype: null,
            x: 0, y: 100 * at, width: 120, height: 50, key: `n${at}`},
            ...(at === 0 ? [] : [{do: 'add-flow', diagram: state.main, source: `$n${at - 1}`,
            target: `$n${at}`, guard: null, key: null}])]);
        const body = JSON.stringify({revision: state.revision, label: 'Many', edits});
        return fetch('api/edit', {method: 'POST', body,
            headers: {'content-type': 'application/json'}})";
    let made = page.browser.run_async(&format!(
        "fetch('api/state').then(it => it.json()).then(state => {{ {nodes} }}) \
         .then(it => done(it.status))"
    ));
    assert_eq!(made, 200);
    page.browser.open_address(&page.address);
    page.until("document.querySelectorAll('.djs-shape').length === 200");
    let name = "[...document.querySelectorAll('.uml-name')].find(it => it.textContent === 'Step2')";
    let height = page
        .browser
        .run(&format!("return {name}.getBoundingClientRect().height"));
    assert!(height.as_f64().unwrap() > 9.0, "{height}");
    page.until(&format!(
        "document.elementFromPoint(...(({{left, top, width, height}}) => \
         [left + width / 2, top + height / 2])({name}.getBoundingClientRect())) \
         .closest('.canvas')"
    ));
    // All of it is seen on request.
    page.browser.press("f");
    page.until(&format!("{name}.getBoundingClientRect().height < 9"));
}
