//! Compares a prediction with the previous one.

use std::collections::BTreeMap;

use prophet_result::ElementOutcome;
use prophet_text::{Align, table, time};

/// The part of a prediction that is compared.
#[derive(Debug, Default)]
pub(super) struct Predicted {
    pub(super) time_s: f64,
    /// Whether other seeds can lead to other times.
    pub(super) is_random: bool,
    pub(super) elements: Vec<ElementOutcome>,
}

/// Formats a prediction, and what has changed since the last one.
pub(super) fn shown(last: Option<&Predicted>, now: &Predicted) -> String {
    let draw = if now.is_random {
        " (one random draw)"
    } else {
        ""
    };
    let predicted = time(now.time_s) + draw;
    let Some(last) = last else {
        let rows = now
            .elements
            .iter()
            .map(|it| [it.name.clone(), time(it.total_s)]);
        let heading = [("Element", Align::Left), ("Total", Align::Right)];
        return format!("predicted time {predicted}{}", below(&heading, rows));
    };
    let before = last.time_s;
    let change = change(before, now.time_s);
    let mut text = format!("predicted time {predicted}, {change}");
    if before.to_bits() != now.time_s.to_bits() {
        text = format!("{text} ({} before)", time(before));
    }
    let heading = ["Before", "Now", "Change"].map(|name| (name, Align::Right));
    let heading = [&[("Element", Align::Left)], &heading[..]].concat();
    text + &below(&heading, elements(last, now).into_iter())
}

/// Lists the elements whose total times have changed, with both times.
fn elements(last: &Predicted, now: &Predicted) -> Vec<[String; 4]> {
    let mut times: BTreeMap<(&str, i64), [Option<f64>; 2]> = BTreeMap::new();
    for (index, prediction) in [last, now].into_iter().enumerate() {
        for element in &prediction.elements {
            times.entry((&element.name, element.id)).or_default()[index] = Some(element.total_s);
        }
    }
    let mut rows = Vec::new();
    for ((name, _), both) in times {
        let shown = |time_s: Option<f64>| time_s.map_or(String::new(), time);
        let difference = match both {
            [Some(before), Some(now)] if before.to_bits() == now.to_bits() => continue,
            [Some(before), Some(now)] => change(before, now),
            [None, _] => "new".to_owned(),
            [_, None] => "gone".to_owned(),
        };
        rows.push([name.to_owned(), shown(both[0]), shown(both[1]), difference]);
    }
    rows
}

fn change(before: f64, now: f64) -> String {
    let share = (now - before) / before;
    if now.to_bits() == before.to_bits() {
        "unchanged".to_owned()
    } else if share.is_finite() {
        prophet_text::signed_percent(share)
    } else {
        "changed".to_owned()
    }
}

/// Formats a table to append below a line; empty if there are no rows.
fn below<const N: usize>(
    heading: &[(&str, Align)],
    rows: impl Iterator<Item = [String; N]>,
) -> String {
    let rows: Vec<Vec<String>> = rows.map(Vec::from).collect();
    if rows.is_empty() {
        return String::new();
    }
    let text = table(heading, &rows);
    text.lines().flat_map(|line| ["\n  ", line]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prediction(time_s: f64, elements: &[(&str, f64)]) -> Predicted {
        let element = |(id, (name, total_s)): (i64, &(&str, f64))| ElementOutcome {
            name: (*name).to_owned(),
            id,
            kind: "action+".into(),
            count: 1,
            total_s: *total_s,
            mean_s: *total_s,
            max_s: *total_s,
            share: 1.0,
        };
        Predicted {
            time_s,
            elements: (0..).zip(elements).map(element).collect(),
            ..Predicted::default()
        }
    }

    #[test]
    fn one_random_draw_is_marked() {
        let drawn = Predicted {
            is_random: true,
            ..prediction(3.0, &[])
        };
        let first = "predicted time 3.000 s (one random draw)";
        assert!(shown(None, &drawn).starts_with(first));
        assert!(shown(Some(&prediction(3.0, &[])), &drawn).starts_with(first));
    }

    #[test]
    fn the_first_prediction_is_shown_whole() {
        let text = shown(None, &prediction(3.0, &[("A", 1.0), ("Long", 2.0)]));
        let lines = [
            "predicted time 3.000 s",
            "  Element    Total",
            "  A        1.000 s",
            "  Long     2.000 s",
        ];
        assert_eq!(text, lines.join("\n"));
    }

    #[test]
    fn what_changed_is_shown_and_nothing_else() {
        let before = prediction(4.0, &[("A", 1.0), ("B", 2.0), ("C", 1.0)]);
        let now = prediction(3.0, &[("A", 1.0), ("B", 1.0), ("D", 1.0)]);
        let lines = [
            "predicted time 3.000 s, -25.0% (4.000 s before)",
            "  Element   Before      Now  Change",
            "  B        2.000 s  1.000 s  -50.0%",
            "  C        1.000 s             gone",
            "  D                 1.000 s     new",
        ];
        assert_eq!(shown(Some(&before), &now), lines.join("\n"));
        let same = shown(Some(&now), &now);
        assert_eq!(same, "predicted time 3.000 s, unchanged");
    }
}
