//! Parses CSV files of ping-pongs, which contain a column of sizes and columns of times.

use prophet_fit::measurements::{Choice, Series};
use prophet_text::{Problem, problem};

use super::measured::{BySize, Measured};
use super::row::whole;

/// Parses a table with the columns `size` and `time` and, optionally, `send` and `held`.
pub(crate) fn parse(name: &str, bytes: &[u8]) -> Result<Measured, Problem> {
    let all = prophet_fit::measurements::parse(name, bytes, &Choice::default())?;
    let mut measured = Measured {
        origins: vec![name.to_owned()],
        ..Measured::default()
    };
    for series in &all {
        add(&mut measured, name, series)?;
    }
    Ok(measured)
}

fn add(measured: &mut Measured, name: &str, series: &Series) -> Result<(), Problem> {
    if !series.is_time {
        let metric = prophet_text::plain::line(&series.metric);
        let why = format!("`{metric}` is not a time; write the columns `size,time_us`");
        return Err(problem!("{name}: {why}"));
    }
    if series.parameters.len() != 1 {
        let why = "expected exactly one column other than the times: the message size, as in \
                   `size,time_us`";
        return Err(problem!("{name}: {why}"));
    }
    let metric = series.metric.to_lowercase();
    let (values, may_be_zero) = match metric.as_str() {
        it if it.starts_with("send") => (&mut measured.send_s, true),
        it if it.starts_with("held") => (&mut measured.held_s, true),
        _ => (&mut measured.one_way_s, false),
    };
    for point in &series.points {
        let size = point.at.first().copied().unwrap_or(f64::NAN);
        let bytes =
            whole(size).ok_or_else(|| problem!("{name}: {size} is not a message size in bytes"))?;
        let is_wrong = |it: &&f64| **it < 0.0 || (**it == 0.0 && !may_be_zero);
        if let Some(wrong) = point.values.iter().find(is_wrong) {
            let metric = prophet_text::plain::line(&series.metric);
            let zero = || format!("{name}: `{metric}` of {bytes} bytes is {wrong} s");
            let told = series.negative.clone().unwrap_or_else(zero);
            return Err(problem!("{told}; expected a time above 0: remove the row"));
        }
        insert_measurement(values, bytes, &point.values);
    }
    Ok(())
}

fn insert_measurement(values: &mut BySize, bytes: u64, new: &[f64]) {
    values.entry(bytes).or_default().extend(new);
}
