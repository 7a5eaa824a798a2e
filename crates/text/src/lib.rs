//! Formats numbers, names and tables for people, and suggests the right name for a misspelled one.
//!
//! Don't use it for output that programs read (JSON, CSV, traces), because that must keep full
//! precision.
//!
//! | module | does |
//! |---|---|
//! | `markup` | escapes text in XML, HTML and SVG |
//! | `plain` | makes untrusted text safe for terminals and spreadsheets |
//! | `named` | declares enums with named values |
//! | `entry` | rewords serde's errors for users |
//! | `percent` | decodes percent-encoding |
//! | `problem` | describes problems with inputs: what is wrong, where, and what to do |
//! | `ending` | prints results, remarks and errors |
//! | `similar` | suggests the most similar known name ("did you mean") |
//! | `table` | aligns tables of text |
//! | `file_format` | recognizes file formats |

mod ending;
mod entry;
mod file_format;
pub mod markup;
mod named;
mod percent;
pub mod plain;
mod problem;
mod similar;
mod table;

use std::ops::Range;

pub use ending::{announce, exit_code, print, say, say_styled};
pub use entry::{entry_mistake, json_mistake, line_at, toml_mistake};
pub use file_format::{
    BEGIN_BYTES, EMPTY, FileFormat, FileKind, FileRole, WORKFLOW_PLAN, cells, file_format,
    first_line, is_empty,
};
pub use percent::percent_decoded;
pub use problem::{Context, Problem, reason, whole_number};
pub use similar::{closest, did_you_mean, similar};
pub use table::{Align, table};

/// Formats a time with three decimals in a suitable unit, such as `194.184 s` or `12.300 us`.
pub fn time(seconds: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")];
    let size = seconds.abs();
    if size == 0.0 {
        return "0.000 s".to_owned();
    }
    if (999_999.5..1e10).contains(&size) {
        return format!("{seconds:.0} s");
    }
    if !(1e-12..1e10).contains(&size) {
        return format!("{seconds:.3e} s");
    }
    // A number that rounds up to 1000 is 1 in the next larger unit.
    let (scale, unit) = UNITS
        .into_iter()
        .find(|(scale, _)| size / scale >= 0.999_999_5)
        .unwrap_or((1e-9, "ns"));
    format!("{:.3} {unit}", seconds / scale)
}

/// Formats a time without trailing zeros, such as `12.3 us` or `112 s`.
pub fn short_time(seconds: f64) -> String {
    let text = time(seconds);
    match text.split_once(' ') {
        Some((number, unit)) if number.contains('.') && !number.contains('e') => {
            format!(
                "{} {unit}",
                number.trim_end_matches('0').trim_end_matches('.')
            )
        }
        _ => text,
    }
}

/// Formats a count with thousands separators, such as `1,048,576`.
pub fn count(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a count in at most eleven columns. Counts of a billion or more are rounded to four
/// digits.
#[expect(clippy::cast_precision_loss, reason = "four digits are shown")]
pub fn short_count(number: u64) -> String {
    if number < 1_000_000_000 {
        count(number)
    } else {
        format!("{:.3e}", number as f64)
    }
}

/// Formats a count with its noun, such as `1 process` or `4 processes`.
pub fn counted(number: u64, singular: &str, plural: &str) -> String {
    format!(
        "{} {}",
        count(number),
        if number == 1 { singular } else { plural }
    )
}

/// Formats a quantity with up to four digits and a suitable SI prefix, such as `1.5 kJ` or
/// `250 uW`.
pub fn si_quantity(value: f64, unit: &str) -> String {
    const PREFIXES: [(f64, &str); 8] = [
        (1e9, "G"),
        (1e6, "M"),
        (1e3, "k"),
        (1.0, ""),
        (1e-3, "m"),
        (1e-6, "u"),
        (1e-9, "n"),
        (1e-12, "p"),
    ];
    let size = value.abs();
    // A number that rounds up to 1000 is 1 with the next larger prefix.
    let fits = |(scale, _): &&(f64, &str)| size / scale >= 0.999_95;
    let found = PREFIXES.iter().find(fits).filter(|_| size < 1e15);
    let Some((scale, prefix)) = found else {
        return format!(
            "{} {unit}",
            if value == 0.0 {
                "0".to_owned()
            } else {
                format!("{value:.3e}")
            }
        );
    };
    let scaled = value / scale;
    let decimals = match scaled.abs() {
        100.0.. => 1,
        10.0.. => 2,
        _ => 3,
    };
    let text = format!("{scaled:.decimals$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text} {prefix}{unit}")
}

/// Formats a fraction as a percentage with one decimal, such as `12.5%`, in at most six columns.
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    match percent {
        // Numbers that round to negative zero are shown as zero.
        -0.05..=0.0 => "0.0%".to_owned(),
        -99.9..999.9 => format!("{percent:.1}%"),
        -9999.0..99_999.0 => format!("{percent:.0}%"),
        // Too large, or not a number.
        _ => "-".to_owned(),
    }
}

/// Formats a difference as a percentage like [`percent()`], but with its sign, such as `+12.5%`;
/// `-` for NaN.
pub fn signed_percent(difference: f64) -> String {
    let text = percent(difference);
    let is_more = difference >= 0.0 && text != "-";
    if is_more { format!("+{text}") } else { text }
}

/// Formats a ratio with a suitable number of digits, such as `1.23` or `140`, in at most eight
/// columns.
pub fn ratio(ratio: f64) -> String {
    match ratio.abs() {
        0.0..9.995 => format!("{ratio:.2}"),
        0.0..99.95 => format!("{ratio:.1}"),
        0.0..9_999_999.5 => format!("{ratio:.0}"),
        _ => format!("{ratio:.1e}"),
    }
}

/// Returns `a` or `an`, depending on how a name is pronounced.
pub fn article(name: &str) -> &'static str {
    let start = name.trim_start_matches(|c: char| !c.is_alphanumeric());
    let start: String = start.chars().take(3).collect::<String>().to_lowercase();
    let sounds_like_you = ["use", "uni", "uti", "uml", "eu"];
    let is_vowel = start.starts_with(['a', 'e', 'i', 'o', 'u', '8']);
    if is_vowel && !sounds_like_you.iter().any(|it| start.starts_with(it)) {
        "an"
    } else {
        "a"
    }
}

/// Formats memory in mebibytes.
#[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
pub fn memory(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / 1_048_576.0)
}

/// Formats a number of bytes with up to four digits and a decimal prefix, such as `76.2 GB`.
#[expect(clippy::cast_precision_loss, reason = "few digits are shown")]
pub fn decimal_bytes(bytes: u128) -> String {
    si_quantity(bytes as f64, "B")
}

/// Returns the number of columns that a text occupies in a terminal.
pub fn columns(text: &str) -> usize {
    text.chars().map(char_columns).sum()
}

/// Returns the number of columns that a character occupies: two for East Asian characters and
/// pictures, otherwise one. Combining marks occupy none, but count as one; at worst, a text is cut
/// off too early.
fn char_columns(c: char) -> usize {
    match u32::from(c) {
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f000..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// Fits a text into a line of at most `width` columns. A text that is too long is cut off and ends
/// with `…`.
pub fn fitted(text: &str, width: usize) -> String {
    let clean = text
        .chars()
        .map(|c| if plain::is_hidden(c) { '\u{fffd}' } else { c });
    let mut fitted = String::new();
    let mut used = 0;
    for c in clean {
        used += char_columns(c);
        if used > width {
            while columns(&fitted) + 1 > width && fitted.pop().is_some() {}
            fitted.push('…');
            break;
        }
        fitted.push(c);
    }
    fitted
}

/// Returns the range between two marks in a page that a program generated; `None` if a mark is
/// missing.
pub fn between(text: &str, begin: &str, end: &str) -> Option<Range<usize>> {
    let start = text.find(begin)? + begin.len();
    let length = text[start..].find(end)?;
    Some(start..start + length)
}

/// Adds spaces after a text. Use it for widths that depend on data, because `{:width$}` panics if
/// the width is above 65,535.
pub fn left(text: &str, width: usize) -> String {
    text.to_owned() + &" ".repeat(width.saturating_sub(columns(text)))
}

/// Adds spaces before a text. See also [`left`].
pub fn right(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(columns(text))) + text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn times_have_the_unit_that_suits() {
        for (seconds, expected) in [
            (0.0, "0.000 s"),
            (194.184_431_847_133_76, "194.184 s"),
            (12.3e-6, "12.300 us"),
            (0.999_999_4, "999.999 ms"),
            (0.999_999_6, "1.000 s"),
            (999.999_6e-9, "1.000 us"),
            (1e-3, "1.000 ms"),
            (2.5e-11, "0.025 ns"),
            (1e-15, "1.000e-15 s"),
            (123_456.789, "123456.789 s"),
            (12_345_678.9, "12345679 s"),
            (1.5e12, "1.500e12 s"),
            (f64::INFINITY, "inf s"),
            (-0.25, "-250.000 ms"),
        ] {
            assert_eq!(time(seconds), expected);
        }
    }

    #[test]
    fn short_times_lose_their_zeros() {
        assert_eq!(short_time(12.3e-6), "12.3 us");
        assert_eq!(short_time(112.0), "112 s");
        assert_eq!(short_time(0.0), "0 s");
        assert_eq!(short_time(100.0), "100 s");
        assert_eq!(short_time(194.184_431_8), "194.184 s");
        assert_eq!(short_time(1e9), "1000000000 s");
        assert_eq!(short_time(1e20), "1.000e20 s");
    }

    /// Widths come from names in files, and a width above 65,535 in a format string would panic.
    #[test]
    fn texts_are_padded_to_any_width() {
        let name = "r".repeat(70_000);
        assert_eq!(left("a", 70_000).len(), 70_000);
        assert_eq!(right(&name, 80_000).trim_start(), name);
        let rows = [vec![name], vec!["a".to_owned()]];
        let table = table(&[("region", Align::Left)], &rows);
        assert_eq!(table.lines().count(), 3);
    }

    #[test]
    fn marks_are_found_in_their_order() {
        let text = "] a [ b ] c ]";
        let range = between(text, "[", "]");
        assert_eq!(range.map(|range| &text[range]), Some(" b "));
        assert_eq!(between("] [", "[", "]"), None);
    }

    #[test]
    fn counts_have_their_thousands_apart() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1000), "1,000");
        assert_eq!(count(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!(short_count(999_999_999), "999,999,999");
        assert_eq!(short_count(1_234_567_890), "1.235e9");
        assert_eq!(counted(1, "process", "processes"), "1 process");
        assert_eq!(counted(4096, "process", "processes"), "4,096 processes");
    }

    #[test]
    fn shares_are_in_percent() {
        assert_eq!(percent(0.125), "12.5%");
        assert_eq!(percent(0.0), "0.0%");
        assert_eq!(percent(1.0), "100.0%");
        assert_eq!(percent(10.0), "1000%");
        assert_eq!(percent(-0.5), "-50.0%");
        assert_eq!(percent(-0.0004), "0.0%");
        assert_eq!(percent(-0.0), "0.0%");
        assert_eq!(percent(-0.0006), "-0.1%");
        let signed = [0.125, -0.0004, 0.0004, -0.5, f64::NAN].map(signed_percent);
        assert_eq!(signed, ["+12.5%", "0.0%", "+0.0%", "-50.0%", "-"]);
        assert_eq!(percent(-5.159_796_227_129_836), "-516%");
        assert_eq!(percent(-0.9995), "-100%");
        assert_eq!(percent(f64::NAN), "-");
        assert_eq!(percent(1e9), "-");
    }

    #[test]
    fn articles_are_those_of_the_first_sound() {
        for name in [
            "ActivityFinalNode",
            "`InitialNode`",
            "OpaqueAction",
            "Uncertain",
        ] {
            assert_eq!(article(name), "an", "{name}");
        }
        for name in ["DecisionNode", "UseCase", "uml:Package", "`node`", ""] {
            assert_eq!(article(name), "a", "{name}");
        }
    }

    #[test]
    fn ratios_have_the_digits_that_tell_them_apart() {
        assert_eq!(ratio(1.0), "1.00");
        assert_eq!(ratio(12.345), "12.3");
        assert_eq!(ratio(0.004), "0.00");
        assert_eq!(ratio(123_456.7), "123457");
        assert_eq!(ratio(1e9), "1.0e9");
    }

    #[test]
    fn quantities_have_the_multiple_that_suits_them() {
        for (value, text) in [
            (0.0, "0 J"),
            (1500.0, "1.5 kJ"),
            (123.456, "123.5 J"),
            (999.96, "1 kJ"),
            (12.0, "12 J"),
            (2.5e-4, "250 uJ"),
            (1e20, "1.000e20 J"),
            (-20.0, "-20 J"),
        ] {
            assert_eq!(si_quantity(value, "J"), text);
        }
    }

    #[test]
    fn names_are_cut_to_their_columns() {
        assert_eq!(fitted("Calculate", 9), "Calculate");
        assert_eq!(fitted("Calculate", 6), "Calcu…");
        assert_eq!(fitted("時間時間", 5), "時間…");
        assert_eq!(fitted("時間時間", 6), "時間…");
        assert_eq!(fitted("a\nb\u{1b}[1m", 20), "a\u{fffd}b\u{fffd}[1m");
        assert_eq!(left("時", 4), "時  ");
        assert_eq!(right("時", 4), "  時");
        let long = "r".repeat(70_000);
        assert_eq!(
            (left("", 70_000).len(), right(&long, 70_001).len()),
            (70_000, 70_001)
        );
    }

    proptest! {
        #[test]
        fn shares_and_ratios_take_few_columns(number: f64) {
            prop_assert!(columns(&percent(number)) <= 6, "{}", percent(number));
            prop_assert!(columns(&ratio(number)) <= 8, "{}", ratio(number));
        }

        #[test]
        fn fitted_texts_fit(text: String, width in 1..30_usize) {
            prop_assert!(columns(&fitted(&text, width)) <= width);
        }

        #[test]
        fn times_take_at_most_twelve_columns(seconds in any::<f64>().prop_map(f64::abs)) {
            prop_assert!(columns(&time(seconds)) <= 12, "{}", time(seconds));
        }
    }
}
