//! The layout of diagrams: the order in which branches are drawn.

use std::fmt::Write as _;

use crate::studio::{EMPTY, Page};
use serde_json::Value;

/// A model of nodes, each a kind of UML and an id, and of flows between them.
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
    /// Lays the diagram out; gives its nodes.
    fn laid_out(&self) -> Vec<Value> {
        self.until("document.querySelector('.canvas .djs-shape')");
        self.browser
            .run("document.querySelector('.canvas svg').focus()");
        self.browser.press("l");
        let is_done = "document.querySelector('[aria-label^=\"Undo: Lay out\"]')";
        // What is large is written for longer than a page waits for anything else.
        let waits = "const look = () => document.body.innerText.includes('Laying out') \
                     && performance.now() < end ? setTimeout(look, 50) : done(true); \
                     const end = performance.now() + 8000; setTimeout(look, 50)";
        for _ in 0..12 {
            self.browser.run_async(waits);
        }
        self.until(is_done);
        let state = "fetch('api/state').then(it => it.json()) \
                     .then(it => done(it.diagrams[0].nodes))";
        serde_json::from_value(self.browser.run_async(state)).unwrap()
    }
}

fn place(nodes: &[Value], id: &str, side: &str) -> f64 {
    let node = nodes.iter().find(|it| it["id"] == id).unwrap();
    node[side].as_f64().unwrap()
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
        let nodes = page.laid_out();
        let left = order.map(|id| place(&nodes, id, "x"));
        assert!(left.is_sorted(), "{order:?}: {left:?}");
    }
}
