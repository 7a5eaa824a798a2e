//! Parses wait times such as `10min` or `exponential:mean=5min`.

use prophet_runtime::quantity::seconds;
use prophet_text::did_you_mean;

use crate::{QueueWait, quoted};

const KINDS: [(&str, &[&str]); 4] = [
    ("exponential", &["mean"]),
    ("uniform", &["low", "high"]),
    ("lognormal", &["mu", "sigma"]),
    ("weibull", &["shape", "scale"]),
];

pub(super) fn parse(text: &str) -> Result<QueueWait, String> {
    let Some((name, rest)) = text.split_once(':') else {
        return seconds(text)
            .map(QueueWait::Seconds)
            .map_err(|it| it.to_string());
    };
    let Some((_, names)) = KINDS.iter().find(|it| it.0 == name) else {
        let meant = did_you_mean(name, KINDS.map(|it| it.0));
        let known = KINDS.map(|it| it.0).join(", ");
        return Err(format!(
            "unknown distribution {} ({known}){meant}",
            quoted(name)
        ));
    };
    let given: Vec<_> = rest.split(',').map(|it| it.split_once('=')).collect();
    let is_named = |(given, name): (&Option<(&str, &str)>, &&str)| {
        given.is_some_and(|it| it.0.trim() == *name)
    };
    if given.len() != names.len() || !given.iter().zip(*names).all(is_named) {
        let wanted: Vec<_> = names.iter().map(|it| format!("{it}=…")).collect();
        return Err(format!(
            "{}: write `{name}:{}`",
            quoted(text),
            wanted.join(",")
        ));
    }
    let time = |place: usize| {
        let value = given[place].map_or("", |it| it.1);
        seconds(value).map_err(|it| it.to_string())
    };
    let number = |place: usize| {
        let value = given[place].map_or("", |it| it.1);
        let parsed: Result<f64, _> = value.trim().parse();
        parsed.map_err(|_| format!("expected a number, found {}", quoted(value)))
    };
    let wait = match name {
        "exponential" => QueueWait::Exponential { mean_s: time(0)? },
        "uniform" => QueueWait::Uniform {
            low_s: time(0)?,
            high_s: time(1)?,
        },
        "lognormal" => QueueWait::Lognormal {
            mu: number(0)?,
            sigma: number(1)?,
        },
        _ => QueueWait::Weibull {
            shape: number(0)?,
            scale_s: time(1)?,
        },
    };
    if !wait.is_right() {
        return Err(format!("{}: a parameter is out of range", quoted(text)));
    }
    Ok(wait)
}
