//! Loops over levels: a variable has the stride, which doubles or halves from one to the next.

use super::super::levels::Levels;
use super::super::merge::Step;
use super::super::points::{Point, Points};
use super::super::ranks::{Conditions, Ranks};
use super::Writer;

/// Partner of ranks at a level, by its stride.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stride {
    Ahead,
    Behind,
    /// The bit of the stride differs.
    Flipped,
    AheadAround,
    BehindAround,
}

impl Stride {
    const ALL: [Self; 5] = [
        Self::Ahead,
        Self::Behind,
        Self::Flipped,
        Self::AheadAround,
        Self::BehindAround,
    ];

    /// The relation of all points to their partners, if there is one.
    pub(crate) fn of(peers: &[(u32, i64)], points: &Points) -> Option<Self> {
        let fits = |it: &Self| {
            let mut peers = peers.iter();
            peers.all(|(point, peer)| it.partner(points.at(*point)) == *peer)
        };
        Self::ALL.into_iter().find(fits)
    }

    fn partner(self, point: Point) -> i64 {
        let Point {
            pid, stride, ranks, ..
        } = point;
        match self {
            Self::Ahead => pid + stride,
            Self::Behind => pid - stride,
            Self::Flipped => pid ^ stride,
            Self::AheadAround => (pid + stride) % ranks,
            Self::BehindAround => (pid + ranks - stride) % ranks,
        }
    }

    /// The partner, where a variable has the stride.
    pub(super) fn expression(self, stride: &str) -> String {
        match self {
            Self::Ahead => format!("pid + {stride}"),
            Self::Behind => format!("pid - {stride}"),
            Self::Flipped => {
                format!("pid / {stride} % 2 == 0 ? pid + {stride} : pid - {stride}")
            }
            Self::AheadAround => format!("(pid + {stride}) % NUM_PROCESSES"),
            Self::BehindAround => format!("(pid + NUM_PROCESSES - {stride}) % NUM_PROCESSES"),
        }
    }
}

impl Writer<'_> {
    /// Writes a loop over the levels of some ranks.
    pub(super) fn levels(&mut self, levels: &Levels, body: &[Step], ranks: &Ranks) {
        let Levels { points, is_up } = levels;
        let Some(stride) = points.stride.clone() else {
            return;
        };
        let all = Ranks::of(points.count(), |it| ranks.has(points.at(it).rank));
        let (first, next) = if *is_up {
            ("1", format!("2 * {stride}"))
        } else {
            ("LastStride()", format!("{stride} / 2"))
        };
        self.globals.push(stride.clone());
        self.elements += 2;
        let name = self.name("Stride");
        self.line(&format!(
            "<action name=\"{name}\"><code>{stride} = {first};</code></action>"
        ));
        let name = self.name("EachLevel");
        self.line(&format!(
            "<block name=\"{name}\" stereotype=\"loop+\" iterations=\"Levels()\">"
        ));
        self.depth += 1;
        let outer = std::mem::replace(&mut self.points, points.clone());
        let conditions = std::mem::replace(&mut self.conditions, Conditions::new(points));
        self.steps(body, &all);
        (self.points, self.conditions) = (outer, conditions);
        let name = self.name("Next");
        self.line(&format!(
            "<action name=\"{name}\"><code>{stride} = {next};</code></action>"
        ));
        self.depth -= 1;
        self.line("</block>");
    }
}
