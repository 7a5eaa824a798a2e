//! Reads availability profiles: lists of dates and values, which can repeat.

use prophet_text::Problem;

use crate::refuse::refuse;

const DATES_MAX: usize = 1 << 20;

/// Minimum period of a profile, in seconds. With a shorter period, time wouldn't advance.
const PERIOD_MIN_S: f64 = 1e-9;

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Profile {
    /// Dates in seconds with their values, in order.
    pub(super) events: Vec<(f64, f64)>,
    /// Period after which all dates repeat, in seconds.
    pub(super) repeat_s: Option<f64>,
}

/// Parses a profile. `periodicity_s` is the period of its element, if it has one.
///
/// Errors contain the line in the profile, counted from 0.
pub(super) fn read(text: &str, periodicity_s: Option<f64>) -> Result<Profile, (u32, Problem)> {
    let mut profile = Profile::default();
    let mut period = periodicity_s.filter(|it| *it > 0.0);
    let mut pause = None;
    for (line, number) in text.lines().zip(0..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', '%']) {
            continue;
        }
        let instruction = read_line(line, &mut profile).map_err(|it| (number, it))?;
        match instruction {
            Some(Loop::Every(seconds)) => period = Some(seconds),
            Some(Loop::After(seconds)) => pause = Some(seconds),
            None => {}
        }
    }
    profile.repeat_s = repeat(&profile, period, pause).map_err(|it| (0, it))?;
    Ok(profile)
}

enum Loop {
    Every(f64),
    /// A pause after the last date, in seconds.
    After(f64),
}

fn read_line(line: &str, profile: &mut Profile) -> Result<Option<Loop>, Problem> {
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or_default();
    let second = words.next().unwrap_or_default();
    match first {
        "PERIODICITY" => return Ok(Some(Loop::Every(number(second, line)?))),
        "LOOPAFTER" => return Ok(Some(Loop::After(number(second, line)?))),
        _ => {}
    }
    if line.starts_with(|c: char| c.is_ascii_alphabetic()) {
        refuse!(
            "`{line}` is drawn at random, which is not supported: write dates and values, such as \
             `10 0.5`"
        );
    }
    let event = (number(first, line)?, number(second, line)?);
    let last = profile.events.last().map_or(0.0, |it| it.0);
    if event.0 < last {
        refuse!("`{line}` is before the previous date {last} s: sort the dates");
    }
    if profile.events.len() >= DATES_MAX {
        refuse!("the profile has more than {DATES_MAX} dates");
    }
    profile.events.push(event);
    Ok(None)
}

fn number(word: &str, line: &str) -> Result<f64, Problem> {
    match word.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => refuse!("expected a date and a value of 0 or more, found `{line}`"),
    }
}

fn repeat(
    profile: &Profile,
    period: Option<f64>,
    pause: Option<f64>,
) -> Result<Option<f64>, Problem> {
    let last = profile.events.last().map_or(0.0, |it| it.0);
    let repeat_s = match (period, pause) {
        (Some(period), _) => period,
        (None, Some(pause)) => last + pause,
        (None, None) => return Ok(None),
    };
    if repeat_s < last || repeat_s <= 0.0 {
        refuse!("the profile repeats every {repeat_s} s, but its last date is {last} s");
    }
    if repeat_s < PERIOD_MIN_S {
        refuse!("the profile repeats every {repeat_s:e} s: its period must be at least 1 ns");
    }
    Ok(Some(repeat_s))
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn periods_that_never_advance_time_are_refused() {
        for period in [1e-300, 9e-10] {
            let (_, refusal) = read("0 1\n1e-301 2", Some(period)).unwrap_err();
            assert!(refusal.message.contains("at least 1 ns"), "{refusal:?}");
        }
        assert!(read("0 1\n1e-301 2", Some(1e-9)).is_ok());
    }

    #[test]
    fn profiles_repeat_after_a_pause_or_with_a_period() {
        let profile = read("# comment\n2 2000000\n4 3000000\nLOOPAFTER 6\n", None).unwrap();
        assert_eq!(profile.events, [(2.0, 2e6), (4.0, 3e6)]);
        assert_eq!(profile.repeat_s, Some(10.0));
        let profile = read("PERIODICITY 7\n0 1.0\n5 0.5", None).unwrap();
        assert_eq!(profile.repeat_s, Some(7.0));
        assert_eq!(read("0 1\n", Some(3.0)).unwrap().repeat_s, Some(3.0));
        assert_eq!(read("0 1\n", Some(-1.0)).unwrap().repeat_s, None);
    }

    #[test]
    fn profiles_that_cannot_be_are_refused() {
        let wrong = [
            "1",
            "1 x",
            "2 1\n1 1",
            "-1 1",
            "1 -1",
            "0 1\nLOOPAFTER 0",
            "5 1\nPERIODICITY 4",
            "STOCHASTIC",
            "1 nan",
        ];
        for text in wrong {
            assert!(read(text, None).is_err(), "{text}");
        }
    }
}
