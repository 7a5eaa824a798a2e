//! Parses and formats dates and times in RFC 3339, as in recordings.

/// Parses a date and time, and returns seconds since 1970 in UTC; `None` if the text is invalid.
pub(crate) fn seconds(text: &str) -> Option<f64> {
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

/// Returns how many minutes a time zone is ahead of UTC; `zone` is `Z`, `+HH:MM`, `-HHMM` or empty.
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

/// Returns the number of days since 1970-01-01 in the Gregorian calendar (H. Hinnant's algorithm,
/// 2021).
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Formats seconds since 1970 as a date and time in UTC, as in RFC 3339; `None` if the year isn't
/// supported.
pub(crate) fn date(seconds: f64) -> Option<String> {
    if !(-1e10..2.5e11).contains(&seconds) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "it is checked")]
    let millis = (seconds * 1000.0).round() as i64;
    let (day, millis) = (millis.div_euclid(86_400_000), millis.rem_euclid(86_400_000));
    let (year, month, date) = civil(day);
    let (second, milli) = (millis / 1000, millis % 1000);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    Some(format!(
        "{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z"
    ))
}

fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day)
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

    #[test]
    fn dates_are_written_as_they_are_read() {
        for seconds_since in [
            0.0,
            951_782_399.0,
            951_868_800.5,
            1_709_210_096.123,
            -86_400.0,
        ] {
            let text = date(seconds_since).expect("it is in range");
            assert_eq!(seconds(&text), Some(seconds_since), "{text}");
        }
        assert_eq!(
            date(951_782_400.0).as_deref(),
            Some("2000-02-29T00:00:00.000Z")
        );
        assert_eq!(date(f64::NAN), None);
        assert_eq!(date(1e300), None);
    }
}
