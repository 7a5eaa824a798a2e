//! Implements the flag `--picture`, which draws the model's diagrams and colors each element by the
//! time that it takes.

use std::fmt::Write as _;
use std::path::Path;

use prophet_text::markup::escaped;
use prophet_text::{Context as _, Problem, fitted, percent, problem, right, short_time};
use quick_xml::Reader;
use quick_xml::events::Event;

use crate::command::report::Report;
use crate::language::model::Drawing;

const LISTED: usize = 5;
/// Margin around the picture.
const MARGIN: f64 = 16.0;
const LINE: f64 = 18.0;
/// Minimum width, so that the lines above the diagrams fit.
const WIDTH: f64 = 440.0;
const COLUMNS: usize = 60;
/// Opacity of the color of the element that takes most time. Text on it has a contrast of 4.5 in
/// both light and dark mode.
const HOTTEST: f64 = 0.5;

/// Draws the picture of a run and writes it to a file.
///
/// # Errors
///
/// Returns an error if the model has no drawing, or if the file can't be written.
pub(super) fn write(path: &Path, report: &Report<'_>) -> Result<(), Problem> {
    let picture = picture(report)?;
    prophet_files::save(path, picture)
}

fn picture(report: &Report<'_>) -> Result<String, Problem> {
    let drawings = report.model.drawings;
    if drawings.is_empty() {
        return Err(problem!(
            "`--picture` colors a model's diagrams, but this model has none"
        ));
    }
    let (head, top) = head(report);
    let (mut body, mut y, mut width) = (String::new(), top, WIDTH);
    for drawing in drawings {
        let (wide, high) = size(drawing).context(format_args!("the drawing `{}`", drawing.name))?;
        let _ = write!(body, "<svg y=\"{y}\" width=\"{wide}\" height=\"{high}\">");
        body += drawing.svg;
        body += "</svg>\n";
        y += high;
        width = width.max(wide);
    }
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"prophet-diagram\" role=\"img\" \
         width=\"{width}\" height=\"{y}\" viewBox=\"0 0 {width} {y}\">\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{y}\"/>\n{head}{body}{}</svg>\n",
        style(report)
    ))
}

/// Returns the lines above the diagrams: the prediction, and the elements that take most of its
/// time. Also returns the height at which the diagrams begin.
fn head(report: &Report<'_>) -> (String, f64) {
    let predicted = format!("Predicted time {}", short_time(report.outcome.mean_s()));
    let mut y = MARGIN + LINE / 2.0;
    let mut head = String::new();
    let mut line = |class: &str, x: f64, text: &str| {
        let text = escaped(&fitted(text, COLUMNS));
        let _ = writeln!(
            head,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{text}</text>"
        );
        y += LINE;
    };
    line("title", MARGIN, &predicted);
    line("", MARGIN, &report.layout());
    line("", MARGIN, &format!("Machine: {}", report.system.machine()));
    for (_, name, share) in hottest(report).into_iter().take(LISTED) {
        line(
            "code",
            MARGIN,
            &format!("{} {name}", right(&percent(share), 6)),
        );
    }
    (head, y)
}

/// Returns the elements with their shares of the total time of all processes, largest first.
fn hottest<'r>(report: &Report<'r>) -> Vec<(i64, &'r str, f64)> {
    let elements = report.outcome.elements.iter();
    let shares = elements.map(|it| (it.id, it.name.as_str(), it.share));
    let mut shares: Vec<_> = shares.filter(|it| it.2 > 0.0).collect();
    shares.sort_by(|a, b| b.2.total_cmp(&a.2));
    shares
}

/// Returns the colors of the elements: the larger the share, the stronger the color.
fn style(report: &Report<'_>) -> String {
    let shares = hottest(report);
    let Some((.., most)) = shares.first().copied() else {
        return String::new();
    };
    let mut style = "<style>\n".to_owned();
    for (id, _, share) in &shares {
        let opacity = HOTTEST * share / most;
        let _ = writeln!(
            style,
            ".prophet-diagram [data-element=\"{id}\"] .shape \
             {{ fill: #f08c00; fill-opacity: {opacity:.3} }}\n\
             .prophet-diagram [data-element=\"{id}\"] text {{ fill: #1f2328 }}\n\
             @media (prefers-color-scheme: dark) {{ \
             .prophet-diagram [data-element=\"{id}\"] text {{ fill: #e6edf3 }} }}"
        );
    }
    style + "</style>\n"
}

fn size(drawing: &Drawing) -> Result<(f64, f64), Problem> {
    let mut reader = Reader::from_str(drawing.svg);
    loop {
        match reader.read_event().context("it is not XML")? {
            Event::Start(root) => {
                let number = |name: &str| {
                    let value = root.try_get_attribute(name).ok()??;
                    value.value.parse().ok()
                };
                let found = number("width").zip(number("height"));
                return found.ok_or_else(|| problem!("it has no size"));
            }
            Event::Eof => return Err(problem!("it has no root element")),
            _ => {}
        }
    }
}
