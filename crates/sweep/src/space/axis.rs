//! Defines an axis of a space: a name and values.

mod parse;

use super::value::{AxisForm, AxisValue, is_whole};

/// An axis of a space: the name of a flag or a parameter, and its values.
///
/// ```
/// use prophet_sweep::Axis;
///
/// let shown = |text: &str| -> Result<String, String> {
///     let axis = Axis::parse(text)?;
///     let count = axis.count().ok_or("it is an interval")?;
///     let values: Vec<String> = (0..count).map(|at| axis.value(at).to_string()).collect();
///     Ok(values.join(" "))
/// };
/// assert_eq!(shown("nodes=1,2,4..64")?, "1 2 4 8 16 32 64");
/// assert_eq!(shown("nat=32,64..256")?, "32 64 96 128 160 192 224 256");
/// assert_eq!(shown("network.latency=1us..1ms:log4")?, "1us 10us 100us 1000us");
/// assert_eq!(shown("memory=1GB,2GB..4000MB")?, "1GB 2GB 3GB 4GB");
/// assert_eq!(shown("share=0..1:5")?, "0 0.25 0.5 0.75 1");
/// assert_eq!(shown("network=hockney:latency=1us,bandwidth=1GB/s,loggp:L=1us,o=0,g=0,G=1ns")?,
///     "hockney:latency=1us,bandwidth=1GB/s loggp:L=1us,o=0,g=0,G=1ns");
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// Name of a flag without its hyphens, or of a parameter.
    pub name: String,
    segments: Vec<Segment>,
}

/// A sequence of consecutive values on an axis.
#[derive(Debug, Clone, PartialEq)]
enum Segment {
    Listed(Vec<AxisValue>),
    Progression(Progression),
    Interval(Interval),
}

/// Numbers that continue by adding a step, or by multiplying by a factor.
#[derive(Debug, Clone, PartialEq)]
struct Progression {
    first: f64,
    step: Step,
    count: u64,
    unit: String,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Add(f64),
    Multiply(f64),
}

#[derive(Debug, Clone, PartialEq)]
struct Interval {
    from: f64,
    to: f64,
    is_logarithmic: bool,
    /// Whether the numbers are rounded to integers.
    is_whole: bool,
    unit: String,
}

impl Axis {
    pub fn of(name: impl Into<String>, values: Vec<AxisValue>) -> Self {
        Self {
            name: name.into(),
            segments: vec![Segment::Listed(values)],
        }
    }

    /// Rounds the intervals of the axis to integers.
    #[must_use]
    pub fn rounded(mut self) -> Self {
        for segment in &mut self.segments {
            if let Segment::Interval(interval) = segment {
                interval.is_whole = true;
            }
        }
        self
    }

    /// Returns the number of values; `None` for an interval.
    pub fn count(&self) -> Option<u64> {
        let counts = self.segments.iter().map(Segment::count);
        counts.sum()
    }

    /// Returns the form that fits all values of the axis.
    pub fn form(&self) -> AxisForm {
        let forms = self.segments.iter().map(Segment::form);
        forms.max().unwrap_or(AxisForm::Text)
    }

    /// Returns the value with this index. If the index is too large, returns the last value.
    pub fn value(&self, place: u64) -> AxisValue {
        let mut place = place;
        for segment in &self.segments {
            let count = segment.count().unwrap_or(0);
            if place < count {
                return segment.value(place);
            }
            place -= count;
        }
        let last = self.segments.last();
        last.map_or(AxisValue::Whole(0), |it| {
            it.value(it.count().unwrap_or(1).saturating_sub(1))
        })
    }

    /// Returns the value at a share of the way from the first value (0) to the last one (1).
    pub fn value_at(&self, share: f64) -> AxisValue {
        match (self.count(), self.segments.as_slice()) {
            (None, [Segment::Interval(interval)]) => interval.value(share),
            (count, _) => self.value(place_at(share, count.unwrap_or(1))),
        }
    }
}

/// Returns the place at a share of an axis with `count` places. It is always less than `count`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a count of points is below 2^53"
)]
pub(crate) fn place_at(share: f64, count: u64) -> u64 {
    let place = (share * count as f64) as u64;
    place.min(count.saturating_sub(1))
}

impl Segment {
    fn count(&self) -> Option<u64> {
        match self {
            Self::Listed(values) => Some(values.len() as u64),
            Self::Progression(progression) => Some(progression.count),
            Self::Interval(_) => None,
        }
    }

    fn form(&self) -> AxisForm {
        match self {
            Self::Listed(values) => {
                let forms = values.iter().map(AxisValue::form);
                forms.max().unwrap_or(AxisForm::Whole)
            }
            Self::Progression(progression) => progression.form(),
            Self::Interval(Interval { unit, .. }) if !unit.is_empty() => AxisForm::Text,
            Self::Interval(Interval { is_whole: true, .. }) => AxisForm::Whole,
            Self::Interval(_) => AxisForm::Real,
        }
    }

    fn value(&self, place: u64) -> AxisValue {
        match self {
            Self::Listed(values) => {
                let place = usize::try_from(place).unwrap_or(usize::MAX);
                values.get(place).cloned().unwrap_or(AxisValue::Whole(0))
            }
            Self::Progression(progression) => progression.value(place),
            Self::Interval(interval) => interval.value(0.0),
        }
    }
}

impl Progression {
    fn form(&self) -> AxisForm {
        match self.step {
            _ if !self.unit.is_empty() => AxisForm::Text,
            Step::Add(step) if is_whole(self.first) && is_whole(step) => AxisForm::Whole,
            Step::Add(_) => AxisForm::Real,
            // Multiplication soon exceeds the integers that a double can represent.
            Step::Multiply(_) if self.count > 64 => AxisForm::Real,
            Step::Multiply(_) => {
                let forms = (0..self.count).map(|place| self.value(place).form());
                forms.max().unwrap_or(AxisForm::Whole)
            }
        }
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "a count of points is below 2^53"
    )]
    fn value(&self, place: u64) -> AxisValue {
        let number = match self.step {
            Step::Add(step) => self.first + step * place as f64,
            Step::Multiply(ratio) => self.first * libm::pow(ratio, place as f64),
        };
        AxisValue::with_unit(rounded(number), &self.unit)
    }
}

impl Interval {
    fn value(&self, share: f64) -> AxisValue {
        let (from, to) = (self.from, self.to);
        let number = if self.is_logarithmic {
            from * libm::pow(to / from, share)
        } else {
            from + (to - from) * share
        };
        let number = if self.is_whole {
            number.round()
        } else {
            number
        };
        AxisValue::with_unit(rounded(number), &self.unit)
    }
}

/// Rounds to 12 digits, because people expect 0.1 + 2 × 0.1 to be 0.3.
fn rounded(number: f64) -> f64 {
    if is_whole(number) {
        return number;
    }
    format!("{number:.11e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests;
