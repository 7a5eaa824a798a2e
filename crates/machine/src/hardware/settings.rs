//! Defines the parameters of hardware models, and the resources that uses of a device need.

use crate::quantity::{
    ParseError, bytes, bytes_per_second, engineering, parse_error, quoted, seconds,
};
use prophet_text::did_you_mean;

/// A parameter of a hardware model, which users set for a machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    pub name: &'static str,
    /// What the parameter means, in a few words.
    pub meaning: &'static str,
    unit: Unit,
    /// Default value; `None` if machines must set the parameter.
    default: Option<f64>,
    range: Range,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Unit {
    Seconds,
    Bytes,
    BytesPerSecond,
    Number,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Range {
    Any,
    Above(f64),
    Within(f64, f64),
}

impl Setting {
    const fn new(name: &'static str, meaning: &'static str, unit: Unit) -> Self {
        Self {
            name,
            meaning,
            unit,
            default: None,
            range: Range::Any,
        }
    }

    /// Declares a time. Users write it with a unit, such as `2us`; the model gets seconds.
    pub const fn seconds(name: &'static str, meaning: &'static str) -> Self {
        Self::new(name, meaning, Unit::Seconds)
    }

    /// Declares a size. Users write it with a unit, such as `64KiB`; the model gets bytes.
    pub const fn bytes(name: &'static str, meaning: &'static str) -> Self {
        Self::new(name, meaning, Unit::Bytes)
    }

    /// Declares a bandwidth. Users write it with a unit, such as `1GB/s`; the model gets bytes per
    /// second.
    pub const fn bytes_per_s(name: &'static str, meaning: &'static str) -> Self {
        Self::new(name, meaning, Unit::BytesPerSecond)
    }

    /// Declares a number without a unit.
    pub const fn number(name: &'static str, meaning: &'static str) -> Self {
        Self::new(name, meaning, Unit::Number)
    }

    #[must_use]
    pub const fn or(self, default: f64) -> Self {
        Self {
            default: Some(default),
            ..self
        }
    }

    /// Requires a value greater than `least`.
    #[must_use]
    pub const fn above(self, least: f64) -> Self {
        Self {
            range: Range::Above(least),
            ..self
        }
    }

    /// Requires a value from `least` to `most`.
    #[must_use]
    pub const fn within(self, least: f64, most: f64) -> Self {
        Self {
            range: Range::Within(least, most),
            ..self
        }
    }

    fn read(&self, text: &str) -> Result<f64, ParseError> {
        let told = |error: ParseError| parse_error!("{}: {error}", self.name);
        #[expect(clippy::cast_precision_loss, reason = "sizes above 2^53 are rounded")]
        let value = match self.unit {
            Unit::Seconds => seconds(text),
            Unit::Bytes => bytes(text).map(|bytes| bytes as f64),
            Unit::BytesPerSecond => bytes_per_second(text),
            Unit::Number => number(text),
        };
        let value = value.map_err(told)?;
        let demand = match self.range {
            Range::Above(least) if value <= least => format!("above {}", self.shown(least)),
            Range::Within(least, most) if !(least..=most).contains(&value) => {
                format!("from {} to {}", self.shown(least), self.shown(most))
            }
            _ => return Ok(value),
        };
        let (name, shown) = (self.name, quoted(text));
        Err(parse_error!("{name}: `{shown}` is out of range ({demand})"))
    }

    /// Formats a value so that it can be parsed again.
    pub fn shown(&self, value: f64) -> String {
        match self.unit {
            Unit::Seconds => engineering(value, "s"),
            Unit::Bytes => format!("{value}B"),
            Unit::BytesPerSecond => engineering(value, "B/s"),
            Unit::Number => value.to_string(),
        }
    }

    fn example(&self) -> &'static str {
        match self.unit {
            Unit::Seconds => "1us",
            Unit::Bytes => "64KiB",
            Unit::BytesPerSecond => "1GB/s",
            Unit::Number => "4",
        }
    }
}

fn number(text: &str) -> Result<f64, ParseError> {
    let number = text.trim().parse().ok();
    let number = number.filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| parse_error!("`{}` is not a finite number", quoted(text)))
}

/// A number that a hardware model needs to know about each use of its device.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resource {
    /// The name that elements use for the resource.
    pub name: &'static str,
    /// Default value; `None` if every element must specify the resource.
    pub default: Option<f64>,
}

impl Resource {
    /// Declares a resource that every element must specify.
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            default: None,
        }
    }

    #[must_use]
    pub const fn or(self, default: f64) -> Self {
        Self {
            default: Some(default),
            ..self
        }
    }
}

/// Named numbers: the settings of a model, or the resources of a use.
#[derive(Debug, Clone, Copy)]
pub struct Values<'v>(&'v [(&'static str, f64)]);

impl<'v> Values<'v> {
    /// Creates values for testing a model.
    pub const fn new(values: &'v [(&'static str, f64)]) -> Self {
        Self(values)
    }

    /// Returns the number with this name.
    ///
    /// # Panics
    ///
    /// Panics if the model doesn't declare the name.
    pub fn get(self, name: &str) -> f64 {
        let found = self.0.iter().find(|(known, _)| *known == name);
        let Some((_, value)) = found else {
            panic!("the hardware model reads `{name}`, which it does not declare");
        };
        *value
    }
}

/// Parses the settings of a model. Messages call the model `what`.
///
/// # Errors
///
/// Returns an error if a setting is unknown, missing or invalid.
pub fn read(
    what: &str,
    settings: &[Setting],
    pairs: &[(&str, &str)],
) -> Result<Vec<(&'static str, f64)>, ParseError> {
    for (number, (key, _)) in pairs.iter().enumerate() {
        if pairs[..number].iter().any(|(known, _)| known == key) {
            return Err(parse_error!("`{}=` is set twice", quoted(key)));
        }
        if !settings.iter().any(|setting| setting.name == *key) {
            let names: Vec<&str> = settings.iter().map(|setting| setting.name).collect();
            return Err(no_key(what, key, &names));
        }
    }
    let value = |setting: &Setting| {
        let written = pairs.iter().find(|(key, _)| *key == setting.name);
        let value = match (written, setting.default) {
            (Some((_, text)), _) => setting.read(text)?,
            (None, Some(default)) => default,
            (None, None) => {
                let (name, meaning) = (setting.name, setting.meaning);
                return Err(parse_error!(
                    "`{what}` needs `{name}=`: {meaning}, such as `{name}={}`",
                    setting.example()
                ));
            }
        };
        Ok((setting.name, value))
    };
    settings.iter().map(value).collect()
}

/// Formats settings so that they can be parsed again, each after a comma. Default values are
/// omitted.
pub fn write(settings: &[Setting], values: &[(&'static str, f64)]) -> String {
    let changed = |setting: &Setting| {
        let (_, value) = values.iter().find(|(name, _)| *name == setting.name)?;
        let is_default = setting.default.map(f64::to_bits) == Some(value.to_bits());
        (!is_default).then(|| format!(",{}={}", setting.name, setting.shown(*value)))
    };
    settings.iter().filter_map(changed).collect()
}
/// Returns the error for a key that a model doesn't have.
pub fn no_key(model: &str, key: &str, names: &[&str]) -> ParseError {
    let near = did_you_mean(key, names.iter().copied());
    let (key, names) = (quoted(key), names.join(", "));
    parse_error!("`{model}` does not support `{key}` (it supports {names}){near}")
}
