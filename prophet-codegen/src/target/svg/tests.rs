//! Tests that nothing overlaps in any picture, and that each picture is XML and contains the ids of
//! results.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

// Shared with the front end's tests.
#[path = "../../../../crates/frontend/src/check/tests/graph.rs"]
mod graph;

use proptest::prelude::*;

use graph::model;

use super::layout::{Budget, MOST_NODES, scene};
use super::scene::{Placed, Point, Scene, Shape};
use super::text::{LineStyle, width};
use super::{Drawing, pictures};
use prophet_frontend::checked::check;
use prophet_frontend::program::Program;
use prophet_map::Map;
use prophet_model::model::{DiagramId, DrawnPlace, ElementId, Model, NodeKind};

/// Returns the models to draw: the samples, and models from the end-to-end tests.
fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut models = Vec::new();
    for folder in [
        "sample-models",
        "tests/models/flow",
        "tests/models/flows",
        "tests/models/threads",
    ] {
        let entries = std::fs::read_dir(root.join(folder)).expect("the folder can be listed");
        let paths = entries.map(|entry| entry.expect("the folder can be listed").path());
        models.extend(paths.filter(|path| path.extension().is_some_and(|it| it == "uml")));
    }
    // An edge back to before a fork crosses the fork's bar.
    models.retain(|path| !path.ends_with("flows/loop-back.uml"));
    models.sort();
    models
}

/// A rectangle: left, top, right, bottom.
type Area = [f64; 4];

fn area(node: &Placed) -> Area {
    let (half_width, half_height) = (0.5 * node.figure.width, 0.5 * node.figure.height);
    let Point { x, y } = node.center;
    [
        x - half_width,
        y - half_height,
        x + half_width,
        y + half_height,
    ]
}

fn overlap(a: Area, b: Area) -> bool {
    let slack = 0.6;
    a[0] + slack < b[2] && b[0] + slack < a[2] && a[1] + slack < b[3] && b[1] + slack < a[3]
}

fn overlaps(scene: &Scene, found: &mut Vec<String>) {
    let nodes: Vec<Area> = scene.nodes.iter().map(area).collect();
    for (at, a) in nodes.iter().enumerate() {
        for b in &nodes[..at] {
            if overlap(*a, *b) {
                found.push(format!("nodes {a:?} and {b:?}"));
            }
        }
        let whole = [-0.6, -0.6, scene.width + 0.6, scene.height + 0.6];
        if a[0] < whole[0] || a[1] < whole[1] || a[2] > whole[2] || a[3] > whole[3] {
            found.push(format!("node {a:?} and the border"));
        }
    }
    for edge in &scene.edges {
        if let (Some(at), Some(guard)) = (edge.label, &edge.connection.guard) {
            let half = 0.5 * LineStyle::Fact.line_height();
            let right = at.x + width(guard, LineStyle::Fact);
            let label = [at.x, at.y - half, right, at.y + half];
            for node in nodes.iter().filter(|node| overlap(**node, label)) {
                found.push(format!("guard {label:?} and node {node:?}"));
            }
        }
        for pair in edge.points.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let line = [a.x.min(b.x), a.y.min(b.y), a.x.max(b.x), a.y.max(b.y)];
            // A line counts as thin as the tolerance allows.
            let line = [line[0] - 0.4, line[1] - 0.4, line[2] + 0.4, line[3] + 0.4];
            for node in nodes.iter().filter(|node| overlap(**node, line)) {
                found.push(format!("edge {:?} and node {node:?}", edge.points));
            }
        }
    }
    for node in &scene.nodes {
        for section in &node.figure.sections {
            overlaps(&section.scene, found);
            let right = section.at.x + section.scene.width;
            let bottom = section.at.y + section.scene.height;
            if section.at.x < 0.0 || right > node.figure.width || bottom > node.figure.height {
                found.push("a frame and its content".to_owned());
            }
        }
    }
}

#[test]
fn nothing_overlaps_in_the_models_of_the_project() {
    let mut drawn = 0;
    for path in models() {
        let checked = check(&path, None).expect("the model can be read");
        let (Some(model), Some(program)) = (&checked.model, &checked.program) else {
            continue;
        };
        let drawing = Drawing::new(model, program);
        for (name, id) in drawing.activities() {
            let scene = scene(&drawing, id, &mut Budget::default()).expect("it is small");
            let mut found = Vec::new();
            overlaps(&scene, &mut found);
            assert!(found.is_empty(), "{} {name}: {found:#?}", path.display());
            drawn += 1;
        }
    }
    assert!(drawn > 50, "only {drawn} diagrams were drawn");
}

#[test]
fn pictures_are_xml_and_name_the_elements_of_the_program() {
    for path in models() {
        let checked = check(&path, None).expect("the model can be read");
        let (Some(model), Some(program)) = (&checked.model, &checked.program) else {
            continue;
        };
        let pictures = pictures(&Drawing::new(model, program));
        let mut ids = BTreeSet::new();
        for picture in &pictures {
            let xml = roxmltree::Document::parse(&picture.svg).expect("it is XML");
            for group in xml.descendants() {
                if let Some(id) = group.attribute("data-element") {
                    assert_eq!(group.attribute("class"), Some("element"));
                    let shapes = group.children().filter(|child| {
                        child
                            .attribute("class")
                            .is_some_and(|it| it.split(' ').any(|class| class == "shape"))
                    });
                    assert_eq!(shapes.count(), 1);
                    ids.insert(id.to_owned());
                }
            }
        }
        let drawn: BTreeSet<&str> = model.elements.iter().map(|it| it.path.as_str()).collect();
        let expected = program.elements.iter();
        // All nodes except implied forks.
        let expected = expected.filter(|it| drawn.contains(it.path.as_str()));
        let expected = expected.map(|it| it.id.to_string());
        assert_eq!(ids, expected.collect(), "{}", path.display());
        assert_eq!(pictures, super::pictures(&Drawing::new(model, program)));
    }
}

#[test]
fn a_diagram_that_nobody_could_read_is_not_drawn() {
    let chain = |count: usize| {
        let nodes = (0..count).map(|at| (format!("A{at}"), NodeKind::Action));
        let edges: Vec<_> = (1..count).map(|at| (at - 1, at, None)).collect();
        model(nodes.collect(), &edges)
    };
    let large = chain(MOST_NODES + 1);
    let pictures = pictures(&Drawing::new(&large, &Program::default()));
    let words = "too large to be drawn: it has 1001 nodes and 1000 edges";
    assert!(pictures[0].svg.contains(words), "{}", pictures[0].svg);
    let large = chain(MOST_NODES);
    let mut budget = Budget::default();
    let drawing = Drawing::new(&large, &Program::default());
    assert!(scene(&drawing, DiagramId(0), &mut budget).is_some());
    // A model that isn't trusted must not take unlimited time.
    let edges: Vec<_> = (0..2_000)
        .map(|at| (at * 7 % 1_000, at * 31 % 1_000, None))
        .collect();
    let nodes = (0..1_000).map(|at| (format!("A{at}"), NodeKind::Action));
    let tangled = model(nodes.collect(), &edges);
    let drawing = Drawing::new(&tangled, &Program::default());
    let mut spent = Budget::with(100_000);
    assert!(scene(&drawing, DiagramId(0), &mut spent).is_none());
}

/// Creates four nodes and their edges. Each node has a position.
fn square(places: [(f64, f64); 4]) -> Model {
    let nodes = ["A", "B", "C", "D"].map(|name| (name.to_owned(), NodeKind::Action));
    let when = |text: &str| Some(text.to_owned());
    let edges = [
        (0, 1, None),
        (1, 2, when("n > 1")),
        (2, 3, None),
        (3, 0, when("n < 1")),
        (0, 3, None),
        (2, 2, None),
    ];
    let mut model = model(nodes.to_vec(), &edges);
    let places = places.map(|(x, y)| DrawnPlace { x, y });
    model.places = (0..4).map(ElementId).zip(places).collect();
    model
}

/// Returns the centers of the nodes, relative to the first node's center.
fn middles(model: &Model) -> Vec<Point> {
    let drawing = Drawing::new(model, &Program::default());
    let scene = scene(&drawing, DiagramId(0), &mut Budget::default()).expect("it is small");
    let mut found = Vec::new();
    overlaps(&scene, &mut found);
    assert!(found.is_empty(), "{found:?}");
    let first = scene.nodes[0].center;
    let middles = scene.nodes.iter().map(|it| Point {
        x: it.center.x - first.x,
        y: it.center.y - first.y,
    });
    middles.collect()
}

#[test]
fn a_diagram_lies_as_it_was_drawn() {
    let far = square([(10.0, 10.0), (310.0, 10.0), (310.0, 210.0), (10.0, 210.0)]);
    let point = |x: f64, y: f64| Point { x, y };
    let expected = [
        point(0.0, 0.0),
        point(300.0, 0.0),
        point(300.0, 200.0),
        point(0.0, 200.0),
    ];
    assert_eq!(middles(&far), expected);
    // Nodes that are too close together for our figures: the same layout with larger distances.
    let near = square([(1.0, 1.0), (31.0, 1.0), (31.0, 21.0), (1.0, 21.0)]);
    let grown = middles(&near);
    assert!(grown[1].x > 60.0 && grown[1].y == 0.0, "{grown:?}");
    assert!(
        (grown[2].y / grown[2].x - 20.0 / 30.0).abs() < 1e-9,
        "{grown:?}"
    );
}

#[test]
fn a_drawing_that_cannot_be_read_is_laid_out_anew() {
    let mut unknown = square([(0.0, 0.0); 4]);
    unknown.places = Map::new();
    let laid_out = middles(&unknown);
    // All nodes in one place, a node without a place, or an edge through a node.
    assert_eq!(middles(&square([(0.0, 0.0); 4])), laid_out);
    let mut partly = square([(0.0, 0.0), (300.0, 0.0), (300.0, 200.0), (0.0, 200.0)]);
    partly.places.remove(&ElementId(2));
    assert_eq!(middles(&partly), laid_out);
    let row = square([(0.0, 0.0), (300.0, 0.0), (600.0, 0.0), (900.0, 0.0)]);
    assert_eq!(middles(&row), laid_out);
}

fn kind() -> impl Strategy<Value = NodeKind> {
    prop_oneof![
        4 => Just(NodeKind::Action),
        3 => Just(NodeKind::Decision),
        1 => Just(NodeKind::Fork),
        1 => Just(NodeKind::Initial),
        1 => Just(NodeKind::ActivityFinal),
    ]
}

fn edge() -> impl Strategy<Value = (usize, usize, Option<String>)> {
    (0_usize..14, 0_usize..14, prop::option::of("\\PC{0,40}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(prophet_testing::cases(200)))]

    #[test]
    fn nodes_and_guards_of_any_graph_lie_apart(
        nodes in prop::collection::vec(("\\PC{0,30}", kind()), 1..14),
        edges in prop::collection::vec(edge(), 0..30),
        places in prop::collection::vec((0_u8..6, 0_u8..6), 14),
        is_drawn in any::<bool>(),
    ) {
        let count = nodes.len();
        let edges = edges.into_iter().map(|(a, b, it)| (a % count, b % count, it));
        let edges: Vec<_> = edges.collect();
        let mut model = model(nodes, &edges);
        if is_drawn {
            let far = |it: u8| 150.0 * f64::from(it);
            let places = places.into_iter().map(|(x, y)| DrawnPlace { x: far(x), y: far(y) });
            model.places = (0..count).map(ElementId).zip(places).collect();
        }
        let drawing = Drawing::new(&model, &Program::default());
        let scene = scene(&drawing, DiagramId(0), &mut Budget::default()).expect("it is small");
        for (at, a) in scene.nodes.iter().enumerate() {
            for b in &scene.nodes[..at] {
                let bars = a.figure.shape == Shape::Bar && b.figure.shape == Shape::Bar;
                prop_assert!(bars || !overlap(area(a), area(b)));
            }
        }
        for edge in &scene.edges {
            prop_assert!(edge.points.len() >= 2);
            prop_assert!(edge.points.iter().all(|it| it.x.is_finite() && it.y.is_finite()));
        }
        let svg = &pictures(&drawing)[0].svg;
        prop_assert!(roxmltree::Document::parse(svg).is_ok());
    }
}
