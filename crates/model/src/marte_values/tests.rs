//! Tests of values: what they become, and what is wrong with them.

use super::{Code, Dimension, declarations, parse, quantity};
use crate::source::{Source, Span, Text};

/// A text that is a whole file.
fn file(text: &str) -> (Source, Text) {
    let source = Source::new("m.uml", text);
    (source, Text::new(text, Span::new(0, text.len())))
}

/// The code of a quantity, or the problem and the text it underlines.
fn coded(text: &str, dimension: Dimension) -> String {
    let (source, whole) = file(text);
    let read = parse(text).and_then(|value| {
        let quantity = quantity(value, dimension)?;
        let code = Code::of(&quantity.value, quantity.scale, &whole, &source)?;
        Ok(code.text().value)
    });
    read.unwrap_or_else(|problem| {
        let marked = text.get(problem.at).unwrap_or("nothing");
        format!("{}: {marked}", problem.message)
    })
}

#[test]
fn durations_become_seconds() {
    let cases = [
        ("5", "5.0"),
        ("(expr=$t,unit=ms,statQ=mean,source=est)", "t / 1000.0"),
        ("(value=2.5e-3, unit=s)", "2.5e-3"),
        ("(expr=$x*2, unit=us)", "x * 2.0 / 1e6"),
        ("(expr=$x+1, unit=ns)", "(x + 1.0) / 1e9"),
        ("(5, ms, est, mean)", "5.0 / 1000.0"),
        ("(5, unit=min, max)", "5.0 * 60.0"),
        ("5 ms", "5.0 / 1000.0"),
        ("((($x)))", "x"),
        (
            "(expr=(8.63*$t+1.36)*$u, unit=ms)",
            "(8.63 * t + 1.36) * u / 1000.0",
        ),
        ("(expr=$a-($b-$c))", "a - (b - c)"),
        ("(expr=-($a+1))", "-(a + 1.0)"),
        ("(expr=$n > 1 ? 2 : 3)", "n > 1.0 ? 2.0 : 3.0"),
        ("(expr=1000/$t,unit=ms)", "1000.0 / t / 1000.0"),
        ("(expr=$a mod 2)", "fmod(a, 2.0)"),
        ("(expr=max($a, 1))", "fmax(a, 1.0)"),
    ];
    for (text, expected) in cases {
        assert_eq!(coded(text, Dimension::Time), expected, "{text}");
    }
}

#[test]
fn distributions_become_variates() {
    let cases = [
        ("(value=exp(10), unit=ms)", "exponential(10.0) / 1000.0"),
        ("(expr=normal($m, 0.1*$m))", "normal(m, (0.1 * m))"),
        ("uniform(1, 2)", "uniform(1.0, 2.0)"),
        ("gamma(2, $m)", "gamma(2.0, m / 2.0)"),
        ("triangular(1, 3, 2)", "triangular(1.0, 2.0, 3.0)"),
        ("poisson(3)", "poisson(3.0)"),
    ];
    for (text, expected) in cases {
        assert_eq!(coded(text, Dimension::Time), expected, "{text}");
    }
}

#[test]
fn rates_become_rates_per_second() {
    let cases = [
        ("(expr=$rate,unit=Hz)", "rate"),
        ("(2, kHz)", "2.0 * 1000.0"),
        ("(value=30, unit=1/min)", "30.0 / 60.0"),
    ];
    for (text, expected) in cases {
        assert_eq!(coded(text, Dimension::Frequency), expected, "{text}");
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let cases = [
        (
            "(expr=$x, unit=Hz)",
            "`Hz` is no unit of a duration: they are s, ms, us, ns, ps, min, \
          hrs and dys: Hz",
        ),
        ("(unit=ms)", "it has no `value` and no `expr`: (unit=ms)"),
        ("(expr=1, expr=2)", "its `expr` is given twice: 2"),
        ("(expr=1, clock=c)", "its part `clock` is not known: c"),
        (
            "(expr=1, statQ=variance)",
            "`statQ=variance` says no value to compute with: variance",
        ),
        (
            "(expr=$x, source=calc)",
            "it is a result of an analysis (`source=calc`), and none to compute with: calc",
        ),
        (
            "(5, min)",
            "`min` is a unit and a statistic: write `unit=min` or `statQ=min`: min",
        ),
        ("(5, 6, 7)", "it has too many parts without a name: 7"),
        ("(expr=$x, unit=ms", "expected `,` or `)` at its end: "),
        ("(expr=$a1 unit=s)", "expected `,` or `)`, not `unit`: unit"),
        (
            "$",
            "`$` stands before the name of a variable, of letters, digits and `_`: $",
        ),
        ("x", "`x` is no number; variables are written as `$x`: x"),
        ("exp(1, ms)", "`exp` takes 1 value, not 2: exp(1, ms)"),
        ("{1, 2}", "a list is no number: {1, 2}"),
        ("1 2", "`2` is not expected: 2"),
        ("'5", "a text has no closing quote: '"),
        ("5 €", "`\\u{20ac}` has no meaning in VSL: €"),
        ("", "expected a value at its end: "),
    ];
    for (text, expected) in cases {
        assert_eq!(coded(text, Dimension::Time), expected, "{text}");
    }
    let unknown = coded("binomial(1)", Dimension::Time);
    assert!(
        unknown.starts_with("there is no `binomial`; there are exp, normal"),
        "{unknown}"
    );
    let deep = coded(&"(".repeat(1000), Dimension::Time);
    assert!(deep.starts_with("it nests more than 24 deep"), "{deep}");
    let long = coded(&"1+".repeat(10_000), Dimension::Time);
    assert!(long.starts_with("it has more than 16384 bytes"), "{long}");
}

#[test]
fn names_have_their_places() {
    let text = "(expr=$first+$second, unit=ms)";
    let (source, whole) = file(text);
    let quantity = quantity(parse(text).expect("it is VSL"), Dimension::Time).expect("a duration");
    let code = Code::of(&quantity.value, quantity.scale, &whole, &source).expect("an expression");
    let names: Vec<&str> = code
        .variables
        .iter()
        .map(|it| &text[it.1.range()])
        .collect();
    assert_eq!(names, ["first", "second"]);
    let built = code.text();
    let at = built.value.find("second").expect("it names it");
    let span = built.locate(&source, at, at + 6);
    assert_eq!(&text[span.range()], "second");
}

#[test]
fn declarations_say_direction_and_value() {
    let shown = |text: &str| match declarations(text) {
        Ok(all) => {
            let one = |it: &super::declaration::Declaration<'_>| {
                let value = it.value.as_ref().map(|it| &text[it.at.clone()]);
                format!("{:?} {} {value:?}", it.direction, it.name.0)
            };
            all.iter().map(one).collect::<Vec<_>>().join(", ")
        }
        Err(problem) => problem.message,
    };
    assert_eq!(shown("in$timeAdd=590"), "In timeAdd Some(\"590\")");
    assert_eq!(shown("out$RT"), "Out RT None");
    assert_eq!(shown("$n, in $m : Real = 2"), "In n None, In m Some(\"2\")");
    assert_eq!(shown("in$r={ 1, 2 }"), "In r Some(\"{ 1, 2 }\")");
    assert_eq!(shown("in$d=(5,ms)"), "In d Some(\"(5,ms)\")");
    assert_eq!(
        shown("to$x"),
        "`to` is no direction: they are `in`, `out` and `inout`"
    );
    assert_eq!(
        shown("in x"),
        "expected the name of a variable behind `$`, not `x`"
    );
    assert_eq!(shown("in$x 5"), "expected `=` and a value, not `5`");
}

#[test]
fn any_text_is_read_or_refused() {
    // A short walk through all texts of few characters that mean something to the parser.
    let parts = [
        "$x", "1", "(", ")", "{", "}", ",", "=", "a", "-", "?", ":", "not", "'", "exp(",
    ];
    let count = parts.len();
    for number in 0..count.pow(4) {
        let text: String = (0..4)
            .map(|place| parts[number / count.pow(place) % count])
            .collect();
        coded(&text, Dimension::Time);
        let _ = declarations(&text);
    }
}
