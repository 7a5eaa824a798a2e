//! Tests the layout of diagrams: the order in which branches are drawn.

use std::fmt::Write as _;

use crate::studio::{EMPTY, Page};
use serde_json::Value;

/// Writes a model with these nodes, given by UML kind and id, and with these flows between them.
fn model(nodes: &[(&str, String)], flows: &[(String, String)]) -> String {
    let mut content = String::new();
    for (kind, id) in nodes {
        let _ = writeln!(
            content,
            "<node xmi:type=\"uml:{kind}\" xmi:id=\"{id}\" name=\"{id}\"/>"
        );
    }
    for (number, (source, target)) in flows.iter().enumerate() {
        let _ = writeln!(
            content,
            "<edge xmi:type=\"uml:ControlFlow\" xmi:id=\"f{number}\" source=\"{source}\" \
             target=\"{target}\"/>"
        );
    }
    let empty = "<ownedBehavior xmi:type=\"uml:Activity\" xmi:id=\"_Main\" name=\"Main\"/>";
    let full = format!("{}>{content}</ownedBehavior>", &empty[..empty.len() - 2]);
    assert!(EMPTY.contains(empty));
    EMPTY.replace(empty, &full)
}

impl Page {
    fn laid_out(&self) -> Value {
        self.until("document.querySelector('.canvas .djs-shape')");
        self.browser
            .run("document.querySelector('.canvas svg').focus()");
        self.browser.press("l");
        let is_done = "document.querySelector('[aria-label^=\"Undo: Lay out\"]')";
        self.until(is_done);
        let state = "fetch('api/state').then(it => it.json()).then(it => done(it.diagrams[0]))";
        self.browser.run_async(state)
    }
}

/// Returns the sides of a node: left, top, right, bottom.
fn sides(diagram: &Value, id: &Value) -> [f64; 4] {
    let nodes = diagram["nodes"].as_array().unwrap();
    let node = nodes.iter().find(|it| it["id"] == *id).unwrap();
    let [x, y, width, height] = ["x", "y", "width", "height"].map(|it| node[it].as_f64().unwrap());
    [x, y, x + width, y + height]
}

fn overlap(one: [f64; 4], other: [f64; 4]) -> bool {
    (0..2).all(|axis| one[axis] < other[axis + 2] && other[axis] < one[axis + 2])
}

#[test]
fn branches_stay_in_the_order_in_which_they_are_drawn() {
    let names = ["b", "c", "a"];
    let mut nodes = vec![("DecisionNode", "d".to_owned())];
    let mut flows = Vec::new();
    for name in names {
        nodes.push(("OpaqueAction", name.to_owned()));
        flows.push(("d".to_owned(), name.to_owned()));
        flows.push((name.to_owned(), "m".to_owned()));
    }
    nodes.push(("MergeNode", "m".to_owned()));
    let Some(page) = Page::open(&model(&nodes, &flows)) else {
        return;
    };
    for order in [["a", "b", "c"], ["c", "b", "a"], ["b", "a", "c"]] {
        let moves: Vec<String> = order
            .iter()
            .enumerate()
            .map(|(at, id)| {
                let x = 40 + 200 * at;
                format!("{{do: 'move', element: '{id}', x: {x}, y: 300, width: 160, height: 64}}")
            })
            .collect();
        let moves = moves.join(", ");
        let script = format!(
            "fetch('api/state').then(it => it.json()).then(({{revision}}) => fetch('api/edit', \
             {{method: 'POST', headers: {{'content-type': 'application/json'}}, body: \
             JSON.stringify({{revision, label: 'Move', edits: [{moves}]}})}})) \
             .then(it => done(it.status))"
        );
        assert_eq!(page.browser.run_async(&script), 200);
        page.until("document.querySelector('[aria-label^=\"Undo: Move\"]')");
        let diagram = page.laid_out();
        let left = order.map(|id| sides(&diagram, &id.into())[0]);
        assert!(left.is_sorted(), "{order:?}: {left:?}");
    }
}

#[test]
fn flows_pass_beside_nodes_and_turn_at_right_angles() {
    let kinds = ["DecisionNode", "OpaqueAction", "ForkNode", "MergeNode"];
    let count = 60;
    let nodes: Vec<_> = (0..count)
        .map(|at| (kinds[at * 7 % 4], format!("n{at}")))
        .collect();
    let ahead = (1..count).map(|at| (at - 1 - at * 5 % 3.min(at), at));
    // Some lead far ahead, and some lead back.
    let others = (0..15).map(|at| (at * 11 % count, at * 23 % count));
    let flows = ahead.chain(others).filter(|(from, to)| from != to);
    let flows: Vec<_> = flows
        .map(|(from, to)| (format!("n{from}"), format!("n{to}")))
        .collect();
    let Some(page) = Page::open(&model(&nodes, &flows)) else {
        return;
    };
    let diagram = page.laid_out();
    let ids: Vec<&Value> = diagram["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["id"])
        .collect();
    for (at, id) in ids.iter().enumerate() {
        for other in &ids[..at] {
            assert!(
                !overlap(sides(&diagram, id), sides(&diagram, other)),
                "{id} is on {other}"
            );
        }
    }
    for flow in diagram["flows"].as_array().unwrap() {
        let points: Vec<[f64; 2]> = serde_json::from_value(flow["points"].clone()).unwrap();
        assert!(points.len() >= 2, "{flow}");
        for pair in points.windows(2) {
            let [[x1, y1], [x2, y2]] = [pair[0], pair[1]];
            let (across, down) = ((x1 - x2).abs(), (y1 - y2).abs());
            assert!(across.min(down) < 0.5, "{flow}");
            let line = [x1.min(x2), y1.min(y2), x1.max(x2), y1.max(y2)];
            for id in ids
                .iter()
                .filter(|it| ***it != flow["source"] && ***it != flow["target"])
            {
                assert!(
                    !overlap(line, sides(&diagram, id)),
                    "{flow} leads through {id}"
                );
            }
        }
    }
}
