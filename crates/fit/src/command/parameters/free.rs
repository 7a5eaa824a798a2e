//! Represents a parameter to fit: its name, and the range to search for its value.

use prophet_interpreter::Interpreted;
use prophet_runtime::{Assignment, Model, Value};
use prophet_sweep::Axis;
use prophet_text::{Problem, problem, similar};

/// Default ranges for the keys of networks and memory, whose values users rarely know.
const RANGES: [(&str, &str); 8] = [
    ("latency", "0.0001us..100000us"),
    ("bandwidth", "0.0001GB/s..100000GB/s"),
    ("L", "0.0001us..100000us"),
    ("o", "0.0001us..100000us"),
    ("g", "0.0001us..100000us"),
    ("G", "0.00001ns..10000ns"),
    ("memory-bandwidth", "0.001GB/s..1000000GB/s"),
    ("core-bandwidth", "0.001GB/s..1000000GB/s"),
];
/// Default range for the price of an operation. An operation can stand for a large part of a
/// program.
const PRICE: &str = "0.001ns..1000000000000ns";
/// Ratio between a parameter's value in the model and each end of its default range.
const FACTOR: f64 = 1e4;

/// A parameter to fit. Its value is measured as a logarithm from the start of its range.
#[derive(Debug)]
pub(super) struct Free {
    axis: Axis,
    width: f64,
}

/// Splits a list of parameters such as `a,b=1..2,c`.
pub(super) fn words(list: &str) -> Vec<String> {
    let words = list.split(',').map(str::trim);
    words
        .filter(|it| !it.is_empty())
        .map(str::to_owned)
        .collect()
}

impl Free {
    /// Parses `NAME` or `NAME=FROM..TO`.
    pub(super) fn read(program: &Interpreted, text: &str) -> Result<Self, Problem> {
        let (name, range) = match text.split_once('=') {
            Some((name, range)) => (name.trim(), range.trim().to_owned()),
            None => (text, range(program, text)?),
        };
        let axis = Axis::parse(&format!("{name}={range}:log"))?;
        if axis.count().is_some() {
            let why = format!("`{range}` is not a valid range for `{name}`");
            return Err(problem!(
                "{why}; write --free {name}=FROM..TO, such as 0.1..10"
            ));
        }
        let ends = [0.0, 1.0].map(|it| axis.value_at(it).number().unwrap_or(1.0));
        let free = Self {
            width: libm::log(ends[1] / ends[0]),
            axis,
        };
        // Try a value inside the range to rule out integers, which have no slopes.
        free.assignment(program, 0.381_966 * free.width)?;
        Ok(free)
    }

    pub(super) fn name(&self) -> &str {
        &self.axis.name
    }

    /// Returns the model parameter to fit; `None` for a flag or a value of the machine.
    pub(super) fn parameter(&self, model: &Model) -> Option<&'static str> {
        let name = self.name();
        if Assignment::is_flag(name) {
            return None;
        }
        let name = name.strip_prefix("set.").unwrap_or(name);
        let is_of = |known: &str| known == name || prophet_result::flag_name(known) == name;
        let mut names = model.parameters.iter().map(|it| it.name);
        names.find(|it| is_of(it))
    }

    /// Returns the logarithm of the ratio of the range's ends.
    pub(super) const fn width(&self) -> f64 {
        self.width
    }

    /// Returns the value at a position, rounded to its significant digits. The position can be
    /// outside the range.
    pub(super) fn value(&self, at: f64) -> String {
        let first = self.axis.value_at(0.0);
        let number = first.number().unwrap_or(1.0) * libm::exp(at);
        format!("{}{}", crate::cost::fitted::number(number), first.unit())
    }

    pub(super) fn assignment(&self, program: &Interpreted, at: f64) -> Result<Assignment, Problem> {
        let value = self.axis.value_at(at / self.width).to_string();
        Assignment::read(program.model(), self.name(), &value)
            .map_err(|why| problem!("{why}; only parameters that are real numbers can be fitted"))
    }
}

/// Returns a parameter's default range: around its value in the model, or the range for its kind.
fn range(program: &Interpreted, name: &str) -> Result<String, Problem> {
    let key = name.rsplit('.').next().unwrap_or(name);
    if name.starts_with("operations.") {
        return Ok(PRICE.to_owned());
    }
    let is_flag = name.contains('.') && !name.starts_with("set.") || Assignment::is_flag(name);
    if is_flag && let Some((_, range)) = RANGES.iter().find(|it| it.0 == key) {
        return Ok((*range).to_owned());
    }
    let is_it = |it: &str| it == key || prophet_result::flag_name(it) == key;
    let mut parameters = program.model().parameters.iter();
    let default = parameters.find(|it| is_it(it.name)).map(|it| &it.default);
    if let Some(Value::Real(value)) = default
        && *value > 0.0
        && value.is_finite()
    {
        return Ok(format!("{}..{}", value / FACTOR, value * FACTOR));
    }
    // If the name is unknown, the message suggests similar parameters.
    match Assignment::read(program.model(), name, "1") {
        Err(why) if why.message.contains("has no parameter") => return Err(why),
        _ => {}
    }
    if let Some((flag, _)) = name.rsplit_once('.').filter(|_| is_flag)
        && let Some(near) = similar(key, RANGES.iter().map(|it| it.0))
    {
        return Err(problem!(
            "there is no parameter `{name}`; did you mean `{flag}.{near}`?"
        ));
    }
    Err(problem!(
        "the search range of `{name}` is unknown; write --free {name}=FROM..TO, such as \
         {name}=0.001..1000"
    ))
}
