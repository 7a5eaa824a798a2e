//! Selects the measurements in the files that the user chose.

use std::path::PathBuf;

use prophet_text::{Problem, problem};

use crate::measurements::{Choice, Point, Series, read};

use crate::command::arguments::{At, Measured};

pub(crate) fn chosen(measured: &Measured) -> Result<Vec<Series>, Problem> {
    let only = measured.parameter.iter().filter_map(|it| it.value);
    let names = measured.parameter.iter().map(|it| it.name.clone());
    let is_slice = measured.parameter.iter().all(|it| it.value.is_some());
    let choice = Choice {
        // A value without a list of parameters keeps the other parameters.
        parameters: if is_slice {
            Vec::new()
        } else {
            names.collect()
        },
        metric: measured.metric.clone(),
        ignored: measured.ignore.clone(),
        by: measured.by.clone(),
    };
    let mut series = read(&measured.files, &choice)?;
    if !measured.region.is_empty() {
        series = keep_regions(series, &measured.region, &measured.files)?;
    }
    if only.count() > 0 {
        for at in &measured.parameter {
            series = slice(series, at)?;
        }
    }
    if let Some(work) = &measured.work {
        for series in &mut series {
            into_times(series, work)?;
        }
    }
    Ok(series)
}

/// Turns a rate into the time for an amount of work. `work` is a number or the name of a parameter.
fn into_times(series: &mut Series, work: &str) -> Result<(), Problem> {
    let Some(per_seconds) = series.per_seconds.take() else {
        return Ok(());
    };
    let number = work.trim().parse().ok().filter(|it: &f64| *it > 0.0);
    let place = series.parameters.iter().position(|it| it == work);
    if number.is_none() && place.is_none() {
        let names = series.parameters.join(", ");
        return Err(problem!(
            "--work needs an amount above 0 or one of the parameters {names}, found `{work}`"
        ));
    }
    for point in &mut series.points {
        let amount = number.or_else(|| place.map(|it| point.at[it]));
        for value in &mut point.values {
            if *value <= 0.0 {
                let metric = prophet_text::plain::line(&series.metric);
                return Err(problem!(
                    "`{metric}` is {value} in a row, but only a rate above 0 can be converted to a \
                     time\n\
                     help: remove the row"
                ));
            }
            *value = amount.unwrap_or(1.0) * per_seconds / *value;
        }
    }
    series.is_time = true;
    series.metric = format!("time of {work}, by {}", series.metric);
    Ok(())
}

/// Keeps only the named regions.
fn keep_regions(
    series: Vec<Series>,
    wanted: &[String],
    files: &[PathBuf],
) -> Result<Vec<Series>, Problem> {
    let is_missing = |name: &&String| !series.iter().any(|it| it.region == **name);
    if let Some(missing) = wanted.iter().find(is_missing) {
        let mut names: Vec<&str> = series.iter().map(|it| it.region.as_str()).collect();
        names.dedup();
        let shown = names.iter().take(20).map(|it| format!("`{it}`"));
        let shown = shown.collect::<Vec<_>>().join(", ");
        let more = if names.len() > 20 { ", …" } else { "" };
        let file = files.first().map(|it| it.display().to_string());
        return Err(problem!(
            "{}: unknown region `{missing}`; choose one of {shown}{more}",
            file.unwrap_or_default()
        ));
    }
    let is_wanted = |it: &Series| wanted.contains(&it.region);
    Ok(series.into_iter().filter(is_wanted).collect())
}

/// Keeps the points at which a parameter has this value, and removes the parameter from them.
fn slice(series: Vec<Series>, at: &At) -> Result<Vec<Series>, Problem> {
    let Some(value) = at.value else {
        return Ok(series);
    };
    let mut kept = Vec::new();
    for mut one in series {
        let Some(place) = one.parameters.iter().position(|it| *it == at.name) else {
            let names = one.parameters.join(", ");
            return Err(problem!(
                "unknown parameter `{}`; choose one of {names}",
                at.name
            ));
        };
        let is_there = |it: &Point| (it.at[place] - value).abs() <= 1e-9 * value.abs();
        one.points.retain(is_there);
        one.parameters.remove(place);
        for point in &mut one.points {
            point.at.remove(place);
        }
        if !one.points.is_empty() {
            kept.push(one);
        }
    }
    if kept.is_empty() {
        return Err(problem!("no measurements found at {} = {value}", at.name));
    }
    Ok(kept)
}
