//! Renders a page with points, curves, intervals and residuals, as a single HTML file without
//! scripts.

use std::fmt::Write as _;

use crate::cost::fitted::{FittedCost, Prediction, chance, coordinate, model_range};
use crate::cost::plot::{Axis, Plot, escape};

/// Style sheet for light and dark themes. People with color blindness can distinguish the colors
/// (Okabe and Ito).
const STYLE: &str = include_str!("page/page.css");
const STEPS: u8 = 60;

/// The page's content security policy.
pub const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

pub fn page(fits: &[FittedCost], level: f64) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>Cost functions</title>\n<style>\n{STYLE}</style></head>\n<body>\n\
         <h1>Cost functions</h1>\n"
    );
    overview(&mut html, fits, level);
    for (index, fitted) in fits.iter().enumerate() {
        section(&mut html, index, fitted, level);
    }
    html.push_str("</body></html>\n");
    html
}

fn overview(html: &mut String, fits: &[FittedCost], level: f64) {
    let percent = model_range(&chance(level));
    let _ = write!(
        html,
        "<table><thead><tr><th>Region<th>Metric<th>Points<th>Error, left out<th>At the largest \
         point<th>{percent}<th>Measured</thead>\n<tbody>\n"
    );
    for (index, fitted) in fits.iter().enumerate() {
        let largest = &fitted.largest;
        let measured = largest.measured.map(|it| fitted.value(it));
        let _ = writeln!(
            html,
            "<tr><td><a href=\"#r{index}\">{}</a><td>{}<td>{}<td>{}<td>{}<td>{}<td>{}",
            escape(&fitted.name()),
            escape(&fitted.metric),
            fitted.points.len(),
            fitted.error(),
            fitted.value(largest.value),
            fitted.range(largest),
            measured.unwrap_or_default(),
        );
    }
    html.push_str("</tbody></table>\n");
}

fn section(html: &mut String, index: usize, fitted: &FittedCost, level: f64) {
    let _ = write!(
        html,
        "<section id=\"r{index}\"><h2>{}</h2>\n<p><code>{}</code></p>\n<dl>\n",
        escape(&fitted.name()),
        escape(&fitted.expression())
    );
    let mut fact = |title: &str, text: &str| {
        let _ = writeln!(html, "<dt>{title}</dt><dd>{}</dd>", escape(text));
    };
    for asked in &fitted.asked {
        fact("Predicted", &told(fitted, asked));
    }
    if let Some(why) = &fitted.fit.undecided {
        fact("Undecided", why);
    }
    if let Some(at) = &fitted.fit.measure_next {
        fact("Measure next", &fitted.place(at));
    }
    for note in &fitted.fit.notes {
        fact("Note", note);
    }
    html.push_str("</dl>\n<div class=\"plots\">\n");
    for parameter in 0..fitted.parameters.len() {
        if let Some(svg) = along(fitted, parameter, level) {
            let _ = writeln!(html, "<figure>{svg}");
            let caption = caption(fitted, parameter, level);
            let _ = writeln!(
                html,
                "<figcaption>{}</figcaption></figure>",
                escape(&caption)
            );
        }
    }
    let _ = writeln!(
        html,
        "<figure>{}<figcaption>Residuals: how far each measured value is from the model's\
         </figcaption></figure>\n</div></section>",
        residuals(fitted)
    );
}

fn told(fitted: &FittedCost, asked: &Prediction) -> String {
    let (value, range) = (fitted.value(asked.value), fitted.range(asked));
    format!("{}: {value}, range {range}", fitted.place(&asked.at))
}

fn caption(fitted: &FittedCost, parameter: usize, level: f64) -> String {
    let others = fitted.parameters.iter().zip(&fitted.largest.at).enumerate();
    let others = others.filter(|(index, _)| *index != parameter);
    let others: Vec<String> = others
        .map(|(_, (name, value))| format!("{name}={}", coordinate(*value)))
        .collect();
    let at = if others.is_empty() {
        String::new()
    } else {
        format!(" at {}", others.join(", "))
    };
    let (name, percent) = (&fitted.parameters[parameter], chance(level));
    format!("Along {name}{at}: measured values, the model and its range ({percent} by the model)")
}

/// Plots the cost along one parameter, with all others as at the largest point; `None` if the
/// parameter never varies.
fn along(fitted: &FittedCost, parameter: usize, level: f64) -> Option<String> {
    let largest = &fitted.largest.at;
    let is_along = |at: &[f64]| {
        let mut others = at.iter().zip(largest).enumerate();
        others.all(|(index, (a, b))| index == parameter || a.total_cmp(b).is_eq())
    };
    let points = fitted.points.iter().filter(|it| is_along(&it.at));
    let points: Vec<(f64, &[f64])> = points
        .map(|it| (it.at[parameter], it.values.as_slice()))
        .collect();
    let (first, last) = (points.first()?.0, points.last()?.0);
    if points.len() < 2 {
        return None;
    }
    let asked = fitted.asked.iter().filter(|it| is_along(&it.at));
    let asked: Vec<(f64, f64)> = asked.map(|it| (it.at[parameter], it.value)).collect();
    let ends = asked.iter().map(|it| it.0).chain([first, 2.0 * last]);
    let x = Axis::around(ends);
    let curve: Vec<(f64, f64, f64, f64)> = (0..=STEPS)
        .map(|step| x.value(f64::from(step) / f64::from(STEPS)))
        .filter(|value| *value >= first.min(0.0))
        .map(|value| {
            let mut at = largest.clone();
            at[parameter] = value;
            let (low, high) = fitted.fit.interval(level, &at);
            (value, fitted.fit.model.at(&at), low, high)
        })
        .filter(|it| it.1.is_finite() && it.2.is_finite() && it.3.is_finite())
        .collect();
    let heights = curve.iter().flat_map(|it| [it.1, it.2, it.3]);
    let measured = points.iter().flat_map(|it| it.1.iter().copied());
    let y = Axis::around(heights.chain(measured));
    let name = &fitted.parameters[parameter];
    let title = format!("{} along {name}", fitted.name());
    let mut plot = Plot::new(&title, (x, name), (y, ""), |value| fitted.value(value));
    plot.band(
        &curve
            .iter()
            .map(|it| (it.0, it.2, it.3))
            .collect::<Vec<_>>(),
    );
    plot.curve(
        "c",
        &curve.iter().map(|it| (it.0, it.1)).collect::<Vec<_>>(),
    );
    for (at, values) in &points {
        for value in *values {
            let told = format!("{name}={}: {}", coordinate(*at), fitted.value(*value));
            plot.point("m", (*at, *value), &told);
        }
    }
    for (at, value) in asked {
        let told = format!(
            "predicted at {name}={}: {}",
            coordinate(at),
            fitted.value(value)
        );
        plot.point("a", (at, value), &told);
    }
    Some(plot.finish())
}

/// Plots the relative differences between measured and modeled values.
fn residuals(fitted: &FittedCost) -> String {
    let pairs = fitted.fit.residuals.iter();
    let pairs: Vec<(f64, f64, &[f64])> = pairs
        .map(|it| (it.modeled, it.measured / it.modeled - 1.0, it.at.as_slice()))
        .filter(|it| it.1.is_finite())
        .collect();
    let x = Axis::around(pairs.iter().map(|it| it.0));
    let y = Axis::about_zero(pairs.iter().map(|it| it.1));
    let title = format!("Residuals of {}", fitted.name());
    let name = match fitted.unit() {
        Some("s") => "modeled, in seconds",
        Some(_) => "modeled, in bytes",
        None => "modeled",
    };
    let mut plot = Plot::new(&title, (x, name), (y, ""), prophet_text::percent);
    plot.curve("z", &[(x.value(0.0), 0.0), (x.value(1.0), 0.0)]);
    for (modeled, difference, at) in pairs {
        let told = format!(
            "{}: {}",
            fitted.place(at),
            prophet_text::percent(difference)
        );
        plot.point("m", (modeled, difference), &told);
    }
    plot.finish()
}
