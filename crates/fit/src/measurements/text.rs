//! Reads Extra-P's text format: `PARAMETER`, `POINTS`, `REGION`, `METRIC`, `DATA`.

use prophet_text::Problem;

use crate::measurements::collector::{Collector, MeasuredRow, content, number};

const WORDS: &[&str] = &["PARAMETER", "POINTS", "REGION", "METRIC", "DATA"];

#[derive(Default)]
struct Above {
    parameters: Vec<String>,
    points: Vec<Vec<f64>>,
    region: String,
    metric: String,
    data: usize,
}

pub(crate) fn is_text(line: &str) -> bool {
    let word = line.split_whitespace().next();
    word.is_some_and(|word| WORDS.contains(&word)) && !line.contains(',')
}

pub(crate) fn add(collector: &mut Collector<'_>, text: &str) -> Result<(), Problem> {
    let mut above = Above {
        metric: "time".to_owned(),
        ..Above::default()
    };
    for (number, line) in content(text) {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "PARAMETER" => {
                let names = rest.split_whitespace().map(str::to_owned);
                above.parameters.extend(names);
            }
            "POINTS" => {
                let points = points(collector, &above.parameters, number, rest)?;
                above.points.extend(points);
            }
            "REGION" => (above.region, above.data) = (rest.to_owned(), 0),
            "METRIC" => (above.metric, above.data) = (rest.to_owned(), 0),
            "DATA" => data(collector, &mut above, number, rest)?,
            _ => {
                let why = format!("expected one of {}, found `{word}`", WORDS.join(", "));
                return Err(collector.told(number, why));
            }
        }
    }
    Ok(())
}

/// Parses the points on a line: `20 30`, or `(20 1) (20 2)` if there are several parameters.
fn points(
    collector: &Collector<'_>,
    parameters: &[String],
    line: usize,
    text: &str,
) -> Result<Vec<Vec<f64>>, Problem> {
    let width = parameters.len();
    if width == 0 {
        return Err(collector.told(line, "the points need a PARAMETER line above them"));
    }
    // Each coordinate can be in its own parentheses.
    let flat = text.replace(['(', ')'], " ");
    if text.contains("((") {
        let all = numbers(collector, line, &flat)?;
        if all.len() % width == 0 {
            return Ok(all.chunks(width).map(<[f64]>::to_vec).collect());
        }
    }
    let groups: Vec<&str> = if text.contains('(') {
        let groups = text.split(['(', ')']).map(str::trim);
        groups.filter(|it| !it.is_empty()).collect()
    } else {
        text.split_whitespace().collect()
    };
    let point = |group: &str| {
        let point = numbers(collector, line, group)?;
        if point.len() == width {
            return Ok(point);
        }
        let why = format!("the point `{group}` needs {width} numbers, one for each parameter");
        Err(collector.told(line, why))
    };
    groups.into_iter().map(point).collect()
}

fn data(
    collector: &mut Collector<'_>,
    above: &mut Above,
    line: usize,
    text: &str,
) -> Result<(), Problem> {
    let Some(point) = above.points.get(above.data) else {
        let why = format!(
            "there are more DATA lines than POINTS ({})",
            above.points.len()
        );
        return Err(collector.told(line, why));
    };
    above.data += 1;
    let names = above.parameters.iter().map(String::as_str);
    let at: Vec<(&str, f64)> = names.zip(point.iter().copied()).collect();
    let values = numbers(collector, line, text)?;
    if values.is_empty() {
        return Err(collector.told(line, "the DATA line has no value"));
    }
    for value in values {
        let row = MeasuredRow {
            region: &above.region,
            metric: &above.metric,
            unit: None,
            at: &at,
            value,
        };
        collector.add(line, &row)?;
    }
    Ok(())
}

fn numbers(collector: &Collector<'_>, line: usize, text: &str) -> Result<Vec<f64>, Problem> {
    let read = |word: &str| {
        let why = || collector.told(line, format!("`{word}` is not a number"));
        number(word).ok_or_else(why)
    };
    text.split_whitespace().map(read).collect()
}
