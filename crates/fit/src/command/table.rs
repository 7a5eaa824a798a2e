//! Prints cost functions for people.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use prophet_text::Align;

use crate::cost::fitted::{FittedCost, chance, model_range};

pub(crate) fn table(fits: &[FittedCost], level: f64) -> String {
    let percent = chance(level);
    let interval = model_range(&percent);
    let heading = [
        ("region", Align::Left),
        ("metric", Align::Left),
        ("points", Align::Right),
        ("values", Align::Right),
        ("left out", Align::Right),
        ("at the largest point", Align::Right),
        (interval.as_str(), Align::Left),
        ("measured", Align::Right),
    ];
    let rows: Vec<Vec<String>> = fits.iter().map(row).collect();
    let mut text = prophet_text::table(&heading, &rows);
    let mut metrics: BTreeMap<&str, usize> = BTreeMap::new();
    for fitted in fits {
        *metrics.entry(&fitted.region).or_default() += 1;
    }
    for fitted in fits {
        let is_alone = fitted.region.is_empty() || metrics[&*fitted.region] == 1;
        let _ = writeln!(text, "\n{}", title(fitted, is_alone));
        paragraph(&mut text, fitted, &percent);
    }
    text
}

/// Returns a region's name, followed by the metric if the region has several.
fn title(fitted: &FittedCost, is_alone: bool) -> String {
    if is_alone {
        return fitted.name();
    }
    format!(
        "{}, {}",
        fitted.name(),
        prophet_text::plain::line(&fitted.metric)
    )
}

fn row(fitted: &FittedCost) -> Vec<String> {
    let largest = &fitted.largest;
    let measured = largest.measured.map(|it| fitted.value(it));
    vec![
        prophet_text::plain::line(&fitted.region),
        prophet_text::plain::line(&fitted.metric),
        fitted.points.len().to_string(),
        fitted.values().to_string(),
        fitted.error(),
        fitted.value(largest.value),
        fitted.range(largest),
        measured.unwrap_or_default(),
    ]
}

fn paragraph(text: &mut String, fitted: &FittedCost, percent: &str) {
    let mut line = |title: &str, content: &str| {
        let _ = writeln!(text, "  {title:<14}{content}");
    };
    line("cost function", &fitted.expression());
    line("largest point", &fitted.place(&fitted.largest.at));
    for asked in &fitted.asked {
        let (value, range) = (fitted.value(asked.value), fitted.range(asked));
        let interval = if asked.range.is_some() {
            format!("{range}, {}", model_range(percent))
        } else {
            format!("range {range}")
        };
        let measured = asked.measured.map(|it| fitted.value(it));
        let measured = measured.map(|it| format!(", measured {it}"));
        let at = fitted.place(&asked.at);
        let rest = measured.unwrap_or_default();
        line("predicted", &format!("{at}: {value}, {interval}{rest}"));
    }
    if let Some(why) = &fitted.fit.undecided {
        line("undecided", why);
    }
    if let Some(at) = &fitted.fit.measure_next {
        line("measure next", &fitted.place(at));
    }
    for note in &fitted.fit.notes {
        line("note", note);
    }
}
