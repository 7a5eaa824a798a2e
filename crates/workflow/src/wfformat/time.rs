//! Dates and times of recordings, as RFC 3339 writes them.

/// Seconds since the start of 1970 in UTC; none where a text is no date and time.
pub(super) fn seconds(text: &str) -> Option<f64> {
    let (date, time) = text.split_once(['T', ' '])?;
    let mut date = date.split('-').map(|it| it.parse::<i64>().ok());
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let at = time.find(['Z', '+', '-']).unwrap_or(time.len());
    let (clock, zone) = time.split_at(at);
    let mut clock = clock.splitn(3, ':');
    let hour: i64 = clock.next()?.parse().ok()?;
    let minute: i64 = clock.next()?.parse().ok()?;
    let second: f64 = clock.next()?.parse().ok()?;
    let is_right = (1600..10_000).contains(&year)
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && (0..24).contains(&hour)
        && (0..60).contains(&minute)
        && (0.0..61.0).contains(&second);
    let minutes = days(year, month, day) * 1440 + hour * 60 + minute - offset_minutes(zone)?;
    #[expect(
        clippy::cast_precision_loss,
        reason = "minutes of a few thousand years"
    )]
    let minutes = minutes as f64;
    is_right.then_some(minutes * 60.0 + second)
}

/// Minutes that a zone is ahead of UTC: of `Z`, `+HH:MM`, `-HHMM`, or nothing.
fn offset_minutes(zone: &str) -> Option<i64> {
    if zone.is_empty() || zone == "Z" {
        return Some(0);
    }
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let digits = zone.get(1..)?.replace(':', "");
    if digits.len() != 4 {
        return None;
    }
    let number: i64 = digits.parse().ok()?;
    Some(sign * (number / 100 * 60 + number % 100))
}

/// Days from 1970-01-01 in the Gregorian calendar, by the algorithm of H. Hinnant (2021).
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_all_zones() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", Some(0.0)),
            ("2020-12-25T20:10:08+00:00", Some(1_608_927_008.0)),
            ("2023-03-29T10:02:36-1000", Some(1_680_120_156.0)),
            ("2023-05-10T16:36:06.5", Some(1_683_736_566.5)),
            ("05-10-23T16:23:32Z", None),
            ("20200401T035043+0000", None),
            ("2020-13-01T00:00:00Z", None),
            ("", None),
        ] {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }
}
