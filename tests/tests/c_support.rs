//! Compares the arithmetic and the random numbers of the C and C++ targets with the runtime's.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use prophet_runtime::{Generator, Int, Surface, Table, div, math, rem};
use prophet_testing::skip;
use prophet_tests::root;

/// Returns a program that includes the header. Its `main` function runs `body`, which prints
/// something.
fn program(body: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include \"prophet_cost.h\"\n\
         PROPHET_NORETURN void prophet_fault(prophet_fault_kind kind)\n\
         {{ puts(prophet_fault_text(kind)); exit(3); }}\n\
         #define INT(x) printf(\"%lld\\n\", (long long)(x))\n\
         #define REAL(x) printf(\"%.17g\\n\", x)\n\
         int main(void)\n{{\n{body}return 0;\n}}\n"
    )
}

/// Compiles and runs a program. Returns its exit code and the lines that it prints, or `None` if
/// the compiler isn't installed.
fn run(compiler: &[&str], folder: &Path, body: &str) -> Option<(Option<i32>, Vec<String>)> {
    let extension = if compiler[0] == "g++" { "cpp" } else { "c" };
    let (source, binary) = (folder.join(format!("t.{extension}")), folder.join("t"));
    fs::write(&source, program(body)).expect("the program can be written");
    let warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];
    let compiled = Command::new(compiler[0])
        .args(&compiler[1..])
        .args(["-O2", "-fwrapv", "-ffp-contract=off"])
        .args(warnings)
        .arg("-I")
        .arg(root().join("templates/c"))
        .arg(&source)
        .arg("-o")
        .arg(&binary)
        .arg("-lm")
        .output();
    let Ok(compiled) = compiled else {
        skip(format_args!("there is no {}", compiler[0]));
        return None;
    };
    let errors = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{compiler:?}: {errors}");
    let output = Command::new(&binary).output().expect("it was compiled");
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().map(str::to_owned).collect();
    Some((output.status.code(), lines))
}

const COMPILERS: [&[&str]; 3] = [
    &["gcc", "-std=c99"],
    &["gcc", "-std=c11"],
    &["g++", "-std=c++11"],
];

/// Compares the output of `body` with `expected`, for each compiler.
fn compare(body: &str, expected: &[String], close: f64) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for compiler in COMPILERS {
        let Some((code, lines)) = run(compiler, folder.path(), body) else {
            continue;
        };
        assert_eq!(code, Some(0), "{lines:?}");
        assert_eq!(lines.len(), expected.len());
        for (number, (line, expected)) in lines.iter().zip(expected).enumerate() {
            let (found, wanted): (f64, f64) = (line.parse().unwrap(), expected.parse().unwrap());
            let same = line == expected
                || (found - wanted).abs() <= close * wanted.abs()
                || found.is_nan() && wanted.is_nan();
            assert!(
                same,
                "{compiler:?}, line {number}: {line} is not {expected}"
            );
        }
    }
}

#[test]
fn integers_are_the_runtimes() {
    let values = [
        0,
        1,
        -1,
        2,
        -7,
        63,
        64,
        -65,
        1 << 40,
        i64::MAX,
        i64::MIN,
        i64::MIN + 1,
    ];
    let text = |value: i64| match value {
        i64::MIN => "INT64_MIN".to_owned(),
        _ => format!("INT64_C({value})"),
    };
    let (mut body, mut expected) = (String::new(), Vec::new());
    let mut one = |call: String, value: Int| {
        let _ = writeln!(body, "INT({call});");
        expected.push(value.to_string());
    };
    for a in values {
        for b in values {
            let (x, y) = (text(a), text(b));
            if b != 0 {
                one(format!("prophet_div({x}, {y})"), div(a, b).unwrap());
                one(format!("prophet_rem({x}, {y})"), rem(a, b).unwrap());
            }
            one(format!("prophet_shl({x}, {y})"), Int(a) << b);
            one(format!("prophet_shr({x}, {y})"), Int(a) >> b);
            one(format!("prophet_max({x}, {y})"), math::max(a, b));
            one(format!("prophet_min({x}, {y})"), math::min(a, b));
        }
        one(format!("prophet_abs({})", text(a)), math::abs(a));
    }
    for (c, real) in [
        ("1e300", 1e300),
        ("-1e300", -1e300),
        ("NAN", f64::NAN),
        ("INFINITY", f64::INFINITY),
        ("-2.9", -2.9),
        ("9223372036854774784.0", 9_223_372_036_854_774_784.0),
        ("-9223372036854775808.0", -9_223_372_036_854_775_808.0),
    ] {
        one(format!("prophet_truncate({c})"), Int::truncate(real));
    }
    compare(&body, &expected, 0.0);
}

#[test]
fn tables_are_the_runtimes() {
    const POINTS: &[(f64, f64)] = &[
        (0.0, 1.0),
        (2.0, 5.0),
        (2.5, 7.0),
        (2.625, 30.0),
        (4.0, 31.0),
        (10.0, -1.0),
        (12.0, -3.0),
    ];
    const TABLE: Table = Table::new("", POINTS);
    let points: Vec<_> = POINTS
        .iter()
        .map(|(x, y)| format!("{{{x}, {y}}}"))
        .collect();
    let mut body = format!(
        "static const prophet_point POINTS[] = {{{}}};\n\
        static const prophet_table TABLE = {{POINTS, 7}};\n",
        points.join(", ")
    );
    let mut expected = Vec::new();
    for part in -14..98 {
        let x = f64::from(part) / 7.0;
        let _ = writeln!(body, "REAL(prophet_table_linear(&TABLE, {x:?}));");
        let _ = writeln!(body, "REAL(prophet_table_monotone(&TABLE, {x:?}));");
        expected.push(TABLE.linear(x).value.to_string());
        expected.push(TABLE.monotone(x).value.to_string());
    }
    compare(&body, &expected, 0.0);
}

#[test]
fn surfaces_are_the_runtimes() {
    const SURFACE: Surface = Surface::new(
        "",
        &[
            (1.0, &[(0.0, 1.0), (2.0, 5.0)]),
            (4.0, &[(1.0, 3.0)]),
            (5.0, &[(1.0, 4.0), (2.0, 4.5)]),
            (8.0, &[(0.5, 2.0), (1.0, 0.0), (3.0, -1.0)]),
        ],
    );
    let mut body = "static const prophet_point P[] =\n\
        {{0, 1}, {2, 5}, {1, 3}, {1, 4}, {2, 4.5}, {0.5, 2}, {1, 0}, {3, -1}};\n\
        static const prophet_line LINES[] =\n\
        {{1, {P + 0, 2}}, {4, {P + 2, 1}}, {5, {P + 3, 2}}, {8, {P + 5, 3}}};\n\
        static const prophet_surface SURFACE = {LINES, 4};\n"
        .to_owned();
    let mut expected = Vec::new();
    for third in 0..30 {
        for half in -1..8 {
            let (x, y) = (f64::from(third) / 3.0, f64::from(half) / 2.0);
            for (curve, lookup) in [
                ("linear", SURFACE.linear(x, y)),
                ("monotone", SURFACE.monotone(x, y)),
            ] {
                let _ = writeln!(
                    body,
                    "REAL(prophet_surface_{curve}(&SURFACE, {x:?}, {y:?}));"
                );
                expected.push(lookup.value.to_string());
            }
        }
    }
    compare(&body, &expected, 0.0);
}

/// Converts a count to a real, as in C.
#[expect(clippy::cast_precision_loss, reason = "these counts are small")]
fn count(drawn: u64) -> f64 {
    drawn as f64
}

type Draw = fn(&mut Generator) -> f64;

const DRAWS: usize = 200;

#[test]
fn random_numbers_are_the_runtimes() {
    let new = "prophet_stream stream = prophet_stream_new(UINT64_C(18446744073709551615), 7, \
        INT64_C(-351571381));\n";
    let generator = || Generator::new(u64::MAX, 7, -351_571_381);
    let kinds: [(&str, Draw); 14] = [
        ("uniform(&stream, 2, 3)", |g| g.uniform(2.0, 3.0).unwrap()),
        ("exponential(&stream, 2)", |g| g.exponential(2.0).unwrap()),
        ("normal(&stream, 5, 2)", |g| g.normal(5.0, 2.0).unwrap()),
        ("lognormal(&stream, 1, .5)", |g| {
            g.lognormal(1.0, 0.5).unwrap()
        }),
        ("gamma(&stream, 2.5, 3)", |g| g.gamma(2.5, 3.0).unwrap()),
        ("gamma(&stream, .5, 3)", |g| g.gamma(0.5, 3.0).unwrap()),
        ("erlang(&stream, 3, 2)", |g| g.erlang(3, 2.0).unwrap()),
        ("weibull(&stream, 1.5, 2)", |g| g.weibull(1.5, 2.0).unwrap()),
        ("triangular(&stream, 1, 2, 4)", |g| {
            g.triangular(1.0, 2.0, 4.0).unwrap()
        }),
        ("poisson(&stream, 0)", |g| count(g.poisson(0.0).unwrap())),
        ("poisson(&stream, 3)", |g| count(g.poisson(3.0).unwrap())),
        ("poisson(&stream, 40)", |g| count(g.poisson(40.0).unwrap())),
        ("poisson(&stream, 1e15)", |g| {
            count(g.poisson(1e15).unwrap())
        }),
        ("bernoulli(&stream, .3)", |g| {
            Int::from(g.bernoulli(0.3).unwrap()).real()
        }),
    ];
    let (mut body, mut expected) = (String::new(), Vec::new());
    for (call, draw) in kinds {
        let loops = format!("for (int i = 0; i < {DRAWS}; i++)\nREAL((double)prophet_{call});\n");
        let _ = write!(body, "{{\n{new}{loops}}}\n");
        let mut generator = generator();
        expected.extend((0..DRAWS).map(|_| draw(&mut generator).to_string()));
    }
    // In C, the last digits of logarithms and cosines may be different.
    compare(&body, &expected, 1e-12);
}

#[test]
fn what_cannot_go_on_stops() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (call, fault) in [
        ("prophet_div(1, 0)", "integer division by zero"),
        ("prophet_rem(1, 0)", "integer division by zero"),
        ("prophet_index(-1, 3)", "index out of range"),
        ("prophet_index(3, 3)", "index out of range"),
        (
            "prophet_poisson(&stream, -1)",
            "a distribution's parameter is out of range",
        ),
    ] {
        let body = format!(
            "prophet_stream stream = prophet_stream_new(1, 0, 1);\n(void)stream;\nINT({call});\n"
        );
        if let Some((code, lines)) = run(COMPILERS[1], folder.path(), &body) {
            assert_eq!((code, &lines[..]), (Some(3), &[fault.to_owned()][..]));
        }
    }
}
