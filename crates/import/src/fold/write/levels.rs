//! Writes loops over levels, with a variable for the stride, which is doubled or halved at each
//! level.

use super::super::points::Levels;
use super::super::ranks::{Conditions, RankSet};
use super::super::step::Step;
use super::Writer;

impl Writer<'_> {
    pub(super) fn levels(&mut self, levels: &Levels, body: &[Step], ranks: &RankSet) {
        let Levels { points, is_up } = levels;
        let Some(stride) = points.stride.clone() else {
            return;
        };
        let all = RankSet::of(points.count(), |it| ranks.has(points.at(it).rank));
        let of = points.span.text();
        let (first, next) = if *is_up {
            ("1".to_owned(), format!("2 * {stride}"))
        } else {
            (format!("LastStride({of})"), format!("{stride} / 2"))
        };
        self.globals.push(stride.clone());
        self.elements += 2;
        let name = self.name("Stride");
        self.line(&format!(
            "<action name=\"{name}\"><code>{stride} = {first};</code></action>"
        ));
        let name = self.name("EachLevel");
        self.line(&format!(
            "<block name=\"{name}\" stereotype=\"loop+\" iterations=\"Levels({of})\">"
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
