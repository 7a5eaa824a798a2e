//! Computes minimal routes in dragonflies. A dragonfly consists of groups of chassis with routers,
//! and is fully connected at each level.
//!
//! G. Faanes and others: Cray Cascade: a scalable HPC system based on a Dragonfly network, SC 2012.

use prophet_text::Problem;

use crate::cluster::Extras;
use crate::parameters::{numbers, parts, product};

use crate::refuse::refuse;

/// The shape of a dragonfly: the number of parts at each level, and of parallel wires between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dragonfly {
    pub groups: u32,
    /// Number of parallel wires between two groups.
    pub group_wires: u32,
    /// Number of chassis in each group.
    pub chassis: u32,
    /// Number of parallel wires between the same routers of two chassis in a group.
    pub chassis_wires: u32,
    /// Number of routers in each chassis.
    pub routers: u32,
    /// Number of parallel wires between two routers in a chassis.
    pub router_wires: u32,
    /// Number of nodes at each router.
    pub nodes: u32,
}

impl Dragonfly {
    /// Parses `SimGrid`'s notation, such as `3,4;4,3;5,1;2`: the numbers of groups, chassis and
    /// routers, each followed by a number of wires, and then the number of nodes.
    ///
    /// # Errors
    ///
    /// Returns an error if the text doesn't describe a dragonfly.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let example = "groups,links;chassis,links;routers,links;nodes";
        let [groups, chassis, routers, nodes] = parts(text, example)?;
        let pair = |text| match numbers(text)?[..] {
            [number, wires] => Ok((number, wires)),
            _ => refuse!(
                "expected a number and a number of links, as in the dragonfly `{example}`, found \
                 `{text}`"
            ),
        };
        let (groups, group_wires) = pair(groups)?;
        let (chassis, chassis_wires) = pair(chassis)?;
        let (routers, router_wires) = pair(routers)?;
        let [nodes] = numbers(nodes)?[..] else {
            refuse!("expected one number of nodes per dragonfly router, found `{nodes}`");
        };
        let dragonfly = Dragonfly {
            groups,
            group_wires,
            chassis,
            chassis_wires,
            routers,
            router_wires,
            nodes,
        };
        dragonfly.check()?;
        Ok(dragonfly)
    }

    pub(crate) fn check(&self) -> Result<(), Problem> {
        let sizes = [self.groups, self.chassis, self.routers, self.nodes];
        let wires = [self.group_wires, self.chassis_wires, self.router_wires];
        if sizes.iter().chain(&wires).any(|it| *it == 0) {
            refuse!("a dragonfly needs at least 1 group, chassis, router, node and link, found 0");
        }
        if self.groups > self.routers {
            refuse!(
                "the dragonfly has {} groups, but only {} routers per chassis: the first chassis \
                 of a group needs a router for each group, so use as many routers as groups",
                self.groups,
                self.routers
            );
        }
        Ok(())
    }

    /// Returns the number of nodes in the dragonfly.
    pub fn nodes(&self) -> u128 {
        self.all_routers().saturating_mul(u128::from(self.nodes))
    }

    pub(crate) fn all_routers(&self) -> u128 {
        product(&[self.groups, self.chassis, self.routers])
    }

    /// Returns the number of cables of each kind: at nodes, and between routers, chassis and
    /// groups.
    pub(crate) fn cables(&self) -> [u128; 4] {
        let times = |factors: &[u32], pairs: u128| product(factors).saturating_mul(pairs);
        [
            self.nodes(),
            times(&[self.groups, self.chassis], pairs(self.routers)),
            times(&[self.groups, self.routers], pairs(self.chassis)),
            pairs(self.groups),
        ]
    }

    fn number(&self, at: Router) -> u32 {
        (at.group * self.chassis + at.chassis) * self.routers + at.blade
    }

    fn router(&self, number: u32) -> Router {
        Router {
            group: number / (self.chassis * self.routers),
            chassis: number / self.routers % self.chassis,
            blade: number % self.routers,
        }
    }

    pub(crate) fn router_name(&self, number: u32) -> String {
        let Router {
            group,
            chassis,
            blade,
        } = self.router(number);
        format!("router{group}.{chassis}.{blade}")
    }
}

fn pairs(of: u32) -> u128 {
    u128::from(of) * u128::from(of.saturating_sub(1)) / 2
}

/// Returns the number of a pair among all pairs of `of` things. `low` must be less than `high`.
fn pair(low: u32, high: u32, of: u32) -> u32 {
    low * (2 * of - low - 1) / 2 + (high - low - 1)
}

/// The position of a router: its group, its chassis in the group, and its slot in the chassis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Router {
    group: u32,
    chassis: u32,
    blade: u32,
}

#[derive(Debug)]
pub(crate) struct DragonflyZone {
    pub(crate) shape: Dragonfly,
    pub(crate) ways: u32,
    /// First link of each kind: at nodes, between routers, between chassis, and between groups.
    pub(crate) links: [u32; 4],
    pub(crate) extras: Extras,
}

impl DragonflyZone {
    pub(crate) fn cables(&self) -> Vec<(u32, u32, Vec<u32>)> {
        let Dragonfly {
            groups,
            chassis,
            routers,
            ..
        } = self.shape;
        let mut cables = Vec::new();
        for number in 0..groups * chassis * routers {
            let at = self.shape.router(number);
            for blade in at.blade + 1..routers {
                let to = Router { blade, ..at };
                let links = vec![self.to_blade(at, blade), self.to_blade(to, at.blade)];
                cables.push((number, self.shape.number(to), links));
            }
            for other in at.chassis + 1..chassis {
                let to = Router {
                    chassis: other,
                    ..at
                };
                let links = vec![self.to_chassis(at, other), self.to_chassis(to, at.chassis)];
                cables.push((number, self.shape.number(to), links));
            }
        }
        for (low, high) in all_pairs(groups) {
            let router = |group, blade| {
                self.shape.number(Router {
                    group,
                    chassis: 0,
                    blade,
                })
            };
            let links = vec![self.to_group(low, high), self.to_group(high, low)];
            cables.push((router(low, high), router(high, low), links));
        }
        cables
    }

    fn link(&self, kind: usize, cable: u32, back: bool) -> u32 {
        let way = if back { self.ways - 1 } else { 0 };
        self.links[kind] + cable * self.ways + way
    }

    /// Returns the link to another router in the same chassis.
    fn to_blade(&self, at: Router, blade: u32) -> u32 {
        let of = self.shape.routers;
        let chassis = at.group * self.shape.chassis + at.chassis;
        let pair = pair(at.blade.min(blade), at.blade.max(blade), of);
        let pairs = of * (of - 1) / 2;
        self.link(1, chassis * pairs + pair, at.blade > blade)
    }

    /// Returns the link to the router in the same slot of another chassis.
    fn to_chassis(&self, at: Router, chassis: u32) -> u32 {
        let of = self.shape.chassis;
        let pair = pair(at.chassis.min(chassis), at.chassis.max(chassis), of);
        let pairs = of * (of - 1) / 2;
        let cable = (at.group * pairs + pair) * self.shape.routers + at.blade;
        self.link(2, cable, at.chassis > chassis)
    }

    fn to_group(&self, from: u32, group: u32) -> u32 {
        let pair = pair(from.min(group), from.max(group), self.shape.groups);
        self.link(3, pair, from > group)
    }

    fn limit(&self, at: Router, links: &mut Vec<u32>) {
        let nodes = self.shape.groups * self.shape.chassis * self.shape.routers * self.shape.nodes;
        links.extend(self.extras.limiter(nodes + self.shape.number(at)));
    }

    pub(crate) fn route(&self, src: u32, dst: u32, links: &mut Vec<u32>) {
        if let Some(loopback) = self.extras.loopback(src).filter(|_| src == dst) {
            links.push(loopback);
            return;
        }
        let from = self.shape.router(src / self.shape.nodes);
        let to = self.shape.router(dst / self.shape.nodes);
        links.extend(self.extras.limiter(src));
        links.push(self.link(0, src, false));
        self.between(from, to, links);
        self.limit(to, links);
        links.push(self.link(0, dst, true));
        links.extend(self.extras.limiter(dst));
    }

    /// Appends the route between two routers: through the first chassis to the group, then to the
    /// slot, and then to the chassis.
    ///
    /// `SimGrid` goes from slot to slot as if it were in the first chassis, even if the route
    /// started in the same group. This function does the same, so that the same links carry the
    /// load.
    fn between(&self, from: Router, to: Router, links: &mut Vec<u32>) {
        if from == to {
            return;
        }
        let mut at = from;
        if at.group != to.group {
            self.leave_group(at, to.group, links);
            at = Router {
                group: to.group,
                chassis: 0,
                blade: from.group,
            };
        }
        if at.blade != to.blade {
            self.limit(at, links);
            links.push(self.to_blade(at, to.blade));
            at = Router {
                chassis: 0,
                blade: to.blade,
                ..at
            };
        }
        if at.chassis != to.chassis {
            self.limit(at, links);
            links.push(self.to_chassis(at, to.chassis));
        }
    }

    /// Appends the route to another group. It leaves from the first chassis, at the router with the
    /// group's number.
    fn leave_group(&self, mut at: Router, group: u32, links: &mut Vec<u32>) {
        if at.blade != group {
            self.limit(at, links);
            links.push(self.to_blade(at, group));
            at.blade = group;
        }
        if at.chassis != 0 {
            self.limit(at, links);
            links.push(self.to_chassis(at, 0));
            at.chassis = 0;
        }
        links.push(self.to_group(at.group, group));
        self.limit(at, links);
    }
}

/// Returns all pairs of `of` things, the lower number first.
pub(crate) fn all_pairs(of: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..of).flat_map(move |low| (low + 1..of).map(move |high| (low, high)))
}
