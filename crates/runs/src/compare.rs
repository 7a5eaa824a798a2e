//! Compares runs: finds how they differ, and how that affects their times.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use prophet_text::{Align, columns, percent, ratio, table, time};
use serde::Serialize;

use crate::plain::plain;
use crate::repository::Kept;
use crate::run::RunRecord;

/// Number of characters that are enough to tell hashes apart.
const HASH: usize = 12;
const CELL: usize = 24;

/// Runs, compared with the first of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The runs, in the requested order.
    pub runs: Vec<Compared>,
    /// Properties with different values.
    pub differences: Vec<Difference>,
    /// The elements of all runs, starting with the first run's elements.
    pub elements: Vec<ElementTimes>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    /// Number of the run in the repository.
    pub id: i64,
    /// Number of processing units: processes times threads.
    pub units: u64,
    /// Predicted time in seconds.
    pub predicted_time_s: f64,
    /// The first run's predicted time divided by this run's; `None` if undefined.
    pub speedup: Option<f64>,
    /// Speedup divided by the ratio of this run's units to the first run's units; 1 is perfect.
    pub efficiency: Option<f64>,
}

/// A property that differs between runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    pub name: String,
    /// Value in each run; `None` if unknown.
    pub values: Vec<Option<String>>,
}

/// An element's time in each run, summed over all processes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ElementTimes {
    /// Name in the model.
    pub name: String,
    /// Id in the model.
    pub id: i64,
    /// Stereotype.
    #[serde(rename = "type")]
    pub kind: String,
    /// Time in each run, in seconds; `None` if the run doesn't contain the element.
    pub total_s: Vec<Option<f64>>,
}

/// Compares runs with the first of them. Elements are matched by id and name.
pub fn compare(runs: &[Kept]) -> Comparison {
    let units = |run: &RunRecord| {
        let system = run.result.system;
        u64::from(system.processes) * u64::from(system.threads)
    };
    let base = runs.first().map(|kept| &kept.run);
    let compared = runs.iter().map(|kept| {
        let time = kept.run.result.predicted_time_s;
        let ratio = base.map(|base| base.result.predicted_time_s / time);
        let speedup = ratio.filter(|ratio| ratio.is_finite());
        #[expect(
            clippy::cast_precision_loss,
            reason = "there are fewer than 2^53 units"
        )]
        let more = base.map(|base| units(&kept.run) as f64 / units(base) as f64);
        Compared {
            id: kept.id,
            units: units(&kept.run),
            predicted_time_s: time,
            speedup,
            efficiency: speedup.zip(more).map(|(speedup, more)| speedup / more),
        }
    });
    Comparison {
        runs: compared.collect(),
        differences: differences(runs),
        elements: elements(runs),
    }
}

/// Returns a property of a run; `None` if it is unknown.
type Fact = fn(&RunRecord) -> Option<String>;

fn differences(runs: &[Kept]) -> Vec<Difference> {
    let facts: [(&str, Fact); 11] = [
        ("Model", |run| Some(run.result.model.clone())),
        ("Model hash", |run| run.model_hash.clone()),
        ("Crate hash", |run| run.crate_hash.clone()),
        ("Nodes", |run| Some(run.result.system.nodes.to_string())),
        ("CPUs per node", |run| {
            Some(run.result.system.cpus_per_node.to_string())
        }),
        ("Processes", |run| {
            Some(run.result.system.processes.to_string())
        }),
        ("Threads", |run| Some(run.result.system.threads.to_string())),
        ("Machine", |run| Some(run.result.machine.clone())),
        ("Seed", |run| Some(run.result.seed.to_string())),
        ("Flags", |run| Some(run.command.as_ref()?.join(" "))),
        ("Interrupted", |run| Some(run.result.partial.to_string())),
    ];
    let each = |name: &str, value: &dyn Fn(&RunRecord) -> Option<String>| Difference {
        name: name.to_owned(),
        values: runs.iter().map(|kept| value(&kept.run)).collect(),
    };
    let names = runs
        .iter()
        .flat_map(|kept| kept.run.result.parameters.names());
    let names: BTreeSet<&String> = names.collect();
    let parameters = names.into_iter().map(|name| {
        let value = |run: &RunRecord| Some(run.result.parameters.get(name)?.to_string());
        each(name, &value)
    });
    let facts = facts.iter().map(|(name, fact)| each(name, fact));
    let differs = |it: &Difference| it.values.windows(2).any(|pair| pair[0] != pair[1]);
    facts.chain(parameters).filter(differs).collect()
}

fn elements(runs: &[Kept]) -> Vec<ElementTimes> {
    let mut elements: Vec<ElementTimes> = Vec::new();
    let mut known: BTreeMap<(i64, &str), usize> = BTreeMap::new();
    for (index, kept) in runs.iter().enumerate() {
        for element in kept.run.result.elements.iter() {
            let at = *known.entry((element.id, &element.name)).or_insert_with(|| {
                elements.push(ElementTimes {
                    name: element.name.clone(),
                    id: element.id,
                    kind: element.kind.to_string(),
                    total_s: vec![None; runs.len()],
                });
                elements.len() - 1
            });
            elements[at].total_s[index] = Some(element.total_s);
        }
    }
    elements
}

/// Renders a comparison as text for people, at most `width` columns wide. Runs that don't fit next
/// to each other continue below.
pub fn render(comparison: &Comparison, width: usize) -> String {
    let heads = comparison.runs.iter().map(|run| format!("Run {}", run.id));
    let heads: Vec<String> = heads.collect();
    let facts = side_by_side(("", &heads), &facts(comparison), width);
    let elements = comparison.elements.iter();
    let elements: Vec<_> = elements
        .map(|element| (plain(&element.name, CELL), times(element)))
        .collect();
    let mut text = facts;
    if comparison.differences.is_empty() {
        text.push_str("The runs have the same settings.\n");
    }
    let _ = write!(
        text,
        "\n{}",
        side_by_side(("Element (total)", &heads), &elements, width)
    );
    text
}

/// Returns the differences between runs, and their effects. Each has a name and a cell per run.
fn facts(comparison: &Comparison) -> Vec<(String, Vec<String>)> {
    let each = |cell: &dyn Fn(&Compared) -> String| comparison.runs.iter().map(cell).collect();
    let shown = |value: Option<f64>, show: fn(f64) -> String| value.map_or("-".to_owned(), show);
    let differences = comparison.differences.iter().map(|difference| {
        let short = difference.name.ends_with("hash");
        let values = difference.values.iter().map(|value| {
            let value = value.as_deref().unwrap_or("-");
            plain(value.get(..HASH).filter(|_| short).unwrap_or(value), CELL)
        });
        (plain(&difference.name, CELL), values.collect())
    });
    let results = [
        ("Predicted time", each(&|run| time(run.predicted_time_s))),
        ("Speed-up", each(&|run| shown(run.speedup, ratio))),
        ("Efficiency", each(&|run| shown(run.efficiency, percent))),
    ];
    let results = results.map(|(name, cells)| (name.to_owned(), cells));
    differences.chain(results).collect()
}

/// Renders tables with a column for each run. As many runs as fit are next to each other.
fn side_by_side(
    (title, heads): (&str, &[String]),
    rows: &[(String, Vec<String>)],
    width: usize,
) -> String {
    let names = rows.iter().map(|(name, _)| columns(name));
    let names = names.chain([columns(title)]).max().unwrap_or(0);
    let widths: Vec<usize> = heads
        .iter()
        .enumerate()
        .map(|(run, head)| {
            let cells = rows.iter().map(|(_, cells)| columns(&cells[run]));
            cells.chain([columns(head)]).max().unwrap_or(0) + 2
        })
        .collect();
    let mut tables: Vec<String> = Vec::new();
    let mut first = 0;
    while first < heads.len() {
        let mut used = names + widths[first];
        let mut end = first + 1;
        while end < heads.len() && used + widths[end] <= width {
            used += widths[end];
            end += 1;
        }
        let mut heading = vec![(title, Align::Left)];
        heading.extend(heads[first..end].iter().map(|it| (&**it, Align::Right)));
        let row = |(name, cells): &(String, Vec<String>)| {
            let cells = cells[first..end].iter().cloned();
            std::iter::once(name.clone()).chain(cells).collect()
        };
        tables.push(table(&heading, &rows.iter().map(row).collect::<Vec<_>>()));
        first = end;
    }
    tables.join("\n")
}

/// Returns the times of an element, with the change of each relative to the first run.
fn times(element: &ElementTimes) -> Vec<String> {
    let first = element.total_s.first().copied().flatten();
    let cell = |(index, total): (usize, &Option<f64>)| {
        let Some(total) = *total else {
            return "-".to_owned();
        };
        let change = first.map(|first| (total - first) / first);
        match change.filter(|change| index > 0 && change.is_finite()) {
            Some(change) => {
                let sign = if change < 0.0 { "" } else { "+" };
                let change = format!("{sign}{}", percent(change));
                format!("{} {change:>7}", time(total))
            }
            None => time(total),
        }
    };
    element.total_s.iter().enumerate().map(cell).collect()
}

#[cfg(test)]
mod tests {
    use prophet_testing::assert_says;

    use super::*;

    /// Returns a run with `processes` processes that took `time_s`. Each element has a name, an id
    /// and a total time.
    fn kept(id: i64, processes: u32, time_s: f64, elements: &[(&str, i64, f64)]) -> Kept {
        let elements = elements.iter().map(|(name, id, total)| {
            serde_json::json!({
                "name": name, "id": id, "type": "action+", "count": 1,
                "total_s": total, "mean_s": total, "max_s": total,
            })
        });
        let result = serde_json::json!({
            "model": "M",
            "system": {"nodes": 1, "cpus_per_node": 4, "processes": processes, "threads": 2},
            "parameters": {"N": processes},
            "machine": "default",
            "seed": 1,
            "predicted_time_s": time_s,
            "evaluation": {"engine": "local", "wall_s": 0.5},
            "elements": elements.collect::<Vec<_>>(),
        });
        let mut runs = RunRecord::read_all(&result.to_string()).expect("it is a result");
        let run = runs.remove(0);
        let saved_at = "2026-01-31T12:00:00Z".to_owned();
        Kept { id, saved_at, run }
    }

    #[test]
    fn speed_up_and_efficiency_are_against_the_first() {
        let runs = [(7, 2, 8.0), (9, 8, 4.0), (8, 2, 0.0)];
        let runs = runs.map(|(id, processes, time)| kept(id, processes, time, &[]));
        let comparison = compare(&runs);
        let all = comparison
            .runs
            .iter()
            .map(|it| (it.id, it.units, it.speedup, it.efficiency));
        assert_eq!(
            all.collect::<Vec<_>>(),
            [
                (7, 4, Some(1.0), Some(1.0)),
                (9, 16, Some(2.0), Some(0.5)),
                (8, 4, None, None),
            ]
        );
        let names = comparison.differences.iter().map(|it| it.name.as_str());
        assert_eq!(names.collect::<Vec<_>>(), ["Processes", "N"]);
        let same = compare(&[runs[0].clone(), runs[0].clone()]);
        assert!(same.differences.is_empty());
        assert!(render(&same, 100).contains("The runs have the same settings.\n"));
    }

    #[test]
    fn runs_that_do_not_fit_beside_the_others_are_below_them() {
        let elements = [("Calculate the potential", 1, 2.0)];
        let runs: Vec<Kept> = (1..=7)
            .map(|id| {
                kept(
                    id,
                    2,
                    12.5 / f64::from(u8::try_from(id).expect("few")),
                    &elements,
                )
            })
            .collect();
        let text = render(&compare(&runs), 100);
        assert!(text.lines().all(|line| columns(line) <= 100), "{text}");
        for id in 1..=7 {
            let heads = text.matches(&format!("Run {id}")).count();
            assert_eq!(heads, 2, "run {id} in\n{text}");
        }
        // Even at the smallest width, each run has a column.
        let narrow = render(&compare(&runs), 0);
        assert_eq!(narrow.matches("Run ").count(), 14);
    }

    #[test]
    fn elements_are_the_same_by_name_and_id() {
        let first = kept(1, 2, 4.0, &[("A", 1, 2.0), ("B", 2, 0.0)]);
        let second = kept(2, 2, 4.0, &[("A", 1, 1.0), ("B", 3, 5.0)]);
        let comparison = compare(&[first, second]);
        let all = comparison
            .elements
            .iter()
            .map(|it| (it.name.as_str(), it.id, &it.total_s[..]));
        assert_eq!(
            all.collect::<Vec<_>>(),
            [
                ("A", 1, &[Some(2.0), Some(1.0)][..]),
                ("B", 2, &[Some(0.0), None]),
                ("B", 3, &[None, Some(5.0)]),
            ]
        );
        let text = render(&comparison, 100);
        assert_says(&text, &["A                2.000 s  1.000 s  -50.0%\n"]);
    }
}
