//! Parameters of `LogGOPS`, in nanoseconds and bytes.

use std::fmt;
use std::str::FromStr;

use prophet_text::{Problem, problem};

/// Most of a time, so that sums can't overflow.
const TIME_MAX: u64 = 1 << 40;

/// Parameters of `LogGOPS`; the default values are `LogGOPSim`'s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameters {
    /// L: latency.
    pub l: u64,
    /// o: overhead of a message.
    pub o: u64,
    /// g: gap between messages.
    pub g: u64,
    /// G: gap of a byte.
    pub gap: u64,
    /// O: overhead of a byte.
    pub overhead: u64,
    /// S: size above which a send waits for its receive.
    pub limit: u64,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            l: 2500,
            o: 1500,
            g: 1000,
            gap: 6,
            overhead: 0,
            limit: 65535,
        }
    }
}

impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            l,
            o,
            g,
            gap,
            overhead,
            limit,
        } = self;
        write!(f, "L={l},o={o},g={g},G={gap},O={overhead},S={limit}")
    }
}

impl FromStr for Parameters {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        let mut parameters = Self::default();
        for pair in text.split(',').filter(|it| !it.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let of = match name {
                "L" => &mut parameters.l,
                "o" => &mut parameters.o,
                "g" => &mut parameters.g,
                "G" => &mut parameters.gap,
                "O" => &mut parameters.overhead,
                "S" => &mut parameters.limit,
                _ => return Err(problem!("`{name}` is not one of L, o, g, G, O and S")),
            };
            let value = value.parse().ok().filter(|it| *it <= TIME_MAX);
            *of = value.ok_or_else(|| problem!("`{pair}` has no whole number up to {TIME_MAX}"))?;
        }
        Ok(parameters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_read_as_they_are_shown() {
        let parameters: Parameters = "L=1,G=2".parse().expect("they are right");
        assert_eq!(parameters.to_string(), "L=1,o=1500,g=1000,G=2,O=0,S=65535");
        assert_eq!(parameters.to_string().parse(), Ok(parameters));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = |text: &str| text.parse::<Parameters>().unwrap_err();
        assert_eq!(wrong("l=1"), "`l` is not one of L, o, g, G, O and S");
        assert_eq!(
            wrong("L=1us"),
            "`L=1us` has no whole number up to 1099511627776"
        );
        assert_eq!(wrong("L"), "`L` has no whole number up to 1099511627776");
    }
}
