//! Arranges the hosts and switches of a zone in a picture, with lines between them.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use crate::dragonfly::DragonflyZone;
use crate::fat_tree::FatTreeZone;
use crate::lists::Hop;
use crate::platform::Platform;
use crate::torus::TorusZone;
use crate::zone::{Routing, What};

/// Maximum number of hosts or switches in a row or circle. With more of them, names aren't shown
/// either.
const SHOWN_MAX: u32 = 48;
const LABELED_MAX: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Host,
    Switch,
    Zone,
}

#[derive(Debug)]
pub(super) struct Dot {
    /// Position as a fraction of the picture's width.
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) labeled: bool,
}

#[derive(Debug)]
pub(super) struct Line {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) links: Vec<u32>,
    pub(super) bent: bool,
}

#[derive(Debug, Default)]
pub(super) struct Sketch {
    pub(super) title: String,
    pub(super) dots: Vec<Dot>,
    pub(super) lines: Vec<Line>,
    pub(super) height: f64,
}

impl Sketch {
    pub(super) fn of(platform: &Platform, zone: usize) -> Self {
        let it = &platform.zones[zone];
        let mut sketch = Sketch::default();
        match &it.routing {
            Routing::FatTree(tree) => sketch.fat_tree(platform, zone, tree),
            Routing::Torus(torus) => sketch.torus(platform, zone, torus),
            Routing::Dragonfly(dragonfly) => sketch.dragonfly(dragonfly),
            Routing::Star(star) | Routing::Vivaldi(crate::vivaldi::Vivaldi { star, .. }) => {
                sketch.circle(platform, zone);
                let center = sketch.dots.len();
                let y = sketch.height / 2.0;
                sketch.dot((0.5, y), "center".to_owned(), Shape::Switch);
                for from in 0..center {
                    let mut links = Vec::new();
                    let point = u32::try_from(from).unwrap_or(u32::MAX);
                    for spoke in star.all(point) {
                        links.extend(platform.list(spoke.up));
                        links.extend(platform.list(spoke.down));
                    }
                    links.sort_unstable();
                    links.dedup();
                    sketch.line(from, center, links);
                }
            }
            Routing::Full(table) => sketch.table(platform, zone, table),
            Routing::Floyd(floyd) => sketch.table(platform, zone, floyd.given()),
            Routing::Dijkstra(graph) => sketch.table(platform, zone, &graph.given()),
            Routing::Empty => sketch.circle(platform, zone),
        }
        let points = it.points.len();
        let labeled = sketch.dots.len() <= LABELED_MAX;
        for dot in &mut sketch.dots {
            dot.labeled = labeled;
        }
        let shown = sketch
            .dots
            .iter()
            .filter(|it| it.shape == Shape::Host)
            .count();
        let hosts = |point: &&u32| matches!(platform.points[**point as usize].what, What::Host(_));
        let hosts = it.points.iter().filter(hosts).count();
        sketch.title = match (hosts, shown) {
            (0, _) => format!("{}: {points} points", it.name),
            (_, 0) => format!("{}: {hosts} hosts; only the routers are shown", it.name),
            _ if hosts > shown => format!("{}: {hosts} hosts; {shown} are shown", it.name),
            _ => format!("{}: {hosts} hosts", it.name),
        };
        sketch
    }

    fn dot(&mut self, (x, y): (f64, f64), name: String, shape: Shape) -> usize {
        self.dots.push(Dot {
            x,
            y,
            name,
            shape,
            labeled: false,
        });
        self.dots.len() - 1
    }

    fn line(&mut self, from: usize, to: usize, links: Vec<u32>) {
        if !links.is_empty() && from != to {
            self.lines.push(Line {
                from,
                to,
                links,
                bent: false,
            });
        }
    }

    /// Arranges the points of a zone in an ellipse.
    fn circle(&mut self, platform: &Platform, zone: usize) {
        let points = &platform.zones[zone].points;
        let shown = points.len().min(SHOWN_MAX as usize);
        self.height = if shown > 8 { 420.0 } else { 220.0 };
        for (at, point) in points.iter().take(shown).enumerate() {
            let place = around(
                at,
                shown,
                (0.5, self.height / 2.0),
                (0.42, self.height / 2.0 - 20.0),
            );
            let shape = match platform.points[*point as usize].what {
                What::Host(_) => Shape::Host,
                What::Router(_) => Shape::Switch,
                What::Zone(_) => Shape::Zone,
            };
            self.dot(place, platform.point_name(*point).to_owned(), shape);
        }
    }

    /// Arranges the points of a zone in an ellipse, and draws the given routes between them.
    fn table(&mut self, platform: &Platform, zone: usize, given: &BTreeMap<(u32, u32), Hop>) {
        self.circle(platform, zone);
        let mut pairs: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
        for ((from, to), hop) in given {
            let shown = (*from.max(to) as usize) < self.dots.len();
            if shown && from != to {
                let links = pairs.entry((*from.min(to), *from.max(to))).or_default();
                links.extend(platform.list(hop.links));
                links.sort_unstable();
                links.dedup();
            }
        }
        for ((from, to), links) in pairs {
            self.line(from as usize, to as usize, links);
        }
    }

    /// Arranges a fat tree in levels, with the nodes at the bottom.
    fn fat_tree(&mut self, platform: &Platform, zone: usize, tree: &FatTreeZone) {
        let sizes = tree.sizes();
        let top = sizes.len() - 1;
        self.height = 110.0 * f64::from(u32::try_from(top).unwrap_or(u32::MAX));
        let mut first = Vec::new();
        for (level, size) in sizes.iter().enumerate() {
            first.push(self.dots.len());
            let shown = (*size).min(SHOWN_MAX);
            let y = self.height - 110.0 * f64::from(u32::try_from(level).unwrap_or(u32::MAX));
            for at in 0..shown {
                let x = (f64::from(at) + 0.5) / f64::from(shown);
                let (name, shape) = match level {
                    0 => (host_name(platform, zone, at), Shape::Host),
                    _ => (format!("switch{level}.{at}"), Shape::Switch),
                };
                self.dot((x, y), name, shape);
            }
        }
        for level in 0..top {
            for child in 0..sizes[level].min(SHOWN_MAX) {
                for (parent, links) in tree.cables(level, child) {
                    if parent < SHOWN_MAX {
                        let (from, to) = (first[level] + child as usize, first[level + 1]);
                        self.line(from, to + parent as usize, links);
                    }
                }
            }
        }
    }

    /// Arranges the nodes of a torus in rows along the first dimension.
    fn torus(&mut self, platform: &Platform, zone: usize, torus: &TorusZone) {
        let (nodes, columns) = torus.sizes();
        let columns = columns.min(SHOWN_MAX);
        let (full_columns, rows) = (torus.sizes().1, (nodes / torus.sizes().1).min(24));
        self.height = 46.0 * f64::from(rows - 1) + 20.0;
        let mut dots = BTreeMap::new();
        for row in 0..rows {
            for column in 0..columns {
                let node = row * full_columns + column;
                let x = (f64::from(column) + 0.5) / f64::from(columns);
                let place = (x, 46.0 * f64::from(row) + 10.0);
                let dot = self.dot(place, host_name(platform, zone, node), Shape::Host);
                dots.insert(node, dot);
            }
        }
        for (node, from) in &dots {
            for (next, links) in torus.cables(*node) {
                if let Some(to) = dots.get(&next) {
                    self.line(*from, *to, links);
                    if let Some(line) = self.lines.last_mut() {
                        line.bent = node.abs_diff(next) != 1 && node.abs_diff(next) != full_columns;
                    }
                }
            }
        }
    }

    /// Arranges the groups of a dragonfly in an ellipse, and the routers of each group in a circle.
    /// Doesn't show nodes.
    fn dragonfly(&mut self, dragonfly: &DragonflyZone) {
        let shape = &dragonfly.shape;
        self.height = 460.0;
        let each = shape.chassis * shape.routers;
        let (groups, routers) = (shape.groups.min(16), each.min(SHOWN_MAX));
        for group in 0..groups {
            let center = around(group as usize, groups as usize, (0.5, 230.0), (0.36, 160.0));
            let center = if groups == 1 { (0.5, 230.0) } else { center };
            for router in 0..routers {
                let place = around(router as usize, routers as usize, center, (0.06, 55.0));
                self.dot(
                    place,
                    shape.router_name(group * each + router),
                    Shape::Switch,
                );
            }
        }
        for (from, to, links) in dragonfly.cables() {
            let shown = |router: u32| {
                let (group, place) = (router / each, router % each);
                let dot = (group * routers + place) as usize;
                (group < groups && place < routers).then_some(dot)
            };
            if let (Some(from), Some(to)) = (shown(from), shown(to)) {
                self.line(from, to, links);
            }
        }
    }
}

/// Returns a position on an ellipse. The first position is at the top.
fn around(at: usize, of: usize, center: (f64, f64), radii: (f64, f64)) -> (f64, f64) {
    let number = |it: usize| f64::from(u32::try_from(it).unwrap_or(u32::MAX));
    let turn = TAU * number(at) / number(of.max(1));
    (
        center.0 + radii.0 * turn.sin(),
        center.1 - radii.1 * turn.cos(),
    )
}

fn host_name(platform: &Platform, zone: usize, at: u32) -> String {
    let point = platform.zones[zone].points[at as usize];
    platform.point_name(point).to_owned()
}
