//! Tests the cost language from the text in a model to the result of the native program.
//!
//! Random C functions must return the same value as when gcc compiles them, to the last bit. Rust
//! functions must return the value that this test computes.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use prophet_testing::skip;
use prophet_tests::drawing::Drawing;
use prophet_tests::programs::Programs;
use prophet_tests::random::Random;

const FUNCTIONS: usize = 150;

/// Defines the language's extensions to C and its only integer type for gcc. Both languages define
/// the results of random functions, because divisors are valid and integers wrap around.
const PRELUDE: &str = "\
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#define int long
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
";

type Parameters = &'static [(&'static str, &'static str)];

/// Functions that random functions call. They are defined for all values in C.
const HELPERS: [(&str, Parameters, &str); 2] = [
    // The divisor is neither 0 nor -1, because the smallest integer can't be divided by -1.
    (
        "long divisor",
        &[("long", "n")],
        "if (n == 0 || n == -1) return 3; else return n;",
    ),
    // A real number that fits into an integer.
    (
        "long whole",
        &[("double", "x")],
        "return fabs(x) < 1e15 ? (long) x : 7;",
    ),
];

const PARAMETERS: Parameters = &[
    ("int", "i"),
    ("long", "j"),
    ("double", "x"),
    ("double", "y"),
    ("bool", "b"),
    ("bool", "c"),
];

fn integer(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        let literals = [
            "0",
            "1",
            "7",
            "-3L",
            "0x1F",
            "1000003L",
            "010",
            "9000000000000000000L",
        ];
        let names = ["i", "j", "k", "n", "a[k & 3]", "b"];
        let leaves = [&literals[..], &names, &names][random.below(3)];
        return (*random.pick(leaves)).to_owned();
    }
    let depth = depth - 1;
    let kind = random.below(12);
    let mut a = || integer(random, depth);
    match kind {
        0 => format!("({} + {})", a(), a()),
        1 => format!("{} - {}", a(), a()),
        2 => format!("({}) * ({})", a(), a()),
        3 => format!("({}) / divisor({})", a(), a()),
        4 => format!("({}) % divisor({})", a(), a()),
        5 => format!("((long) ({}) << ({} & 31))", a(), a()),
        6 => format!("((long) ({}) >> ({} & 63))", a(), a()),
        7 => format!("(({}) {} ({}))", a(), ["&", "|", "^"][depth % 3], a()),
        8 => format!("-({}) + ~({})", a(), a()),
        9 => format!("{}({}, {})", ["min", "max"][depth % 2], a(), a()),
        10 => format!(
            "({} ? {} : {})",
            truth(random, depth),
            integer(random, depth),
            "j"
        ),
        _ => format!("whole({})", real(random, depth)),
    }
}

fn real(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        let literals = ["0.5", "2.", ".25e-3", "1e10", "3.14", "-7.0", "0x1.8p3"];
        let names = ["x", "y", "r", "w[k & 3]"];
        let leaves = [&literals[..], &names, &names][random.below(3)];
        return (*random.pick(leaves)).to_owned();
    }
    let depth = depth - 1;
    let kind = random.below(10);
    let mut a = || real(random, depth);
    match kind {
        0 => format!("({} + {})", a(), a()),
        1 => format!("{} - {}", a(), a()),
        2 => format!("({}) * ({})", a(), a()),
        3 => format!("({}) / (1.5 + fabs({}))", a(), a()),
        4 => format!("-({})", a()),
        5 => format!("{}({}, {})", ["min", "max"][depth % 2], a(), a()),
        6 => format!("(double) ({}) / divisor(j)", integer(random, depth)),
        7 => format!("({}) * ({})", real(random, depth), integer(random, depth)),
        8 => format!("({} ? {} : i)", truth(random, depth), real(random, depth)),
        _ => format!("(x + ({}))", integer(random, depth)),
    }
}

fn truth(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return (*random.pick(&["b", "c", "i < j", "x >= y", "true", "k"])).to_owned();
    }
    let depth = depth - 1;
    let comparison = *random.pick(&["<", "<=", ">", ">=", "==", "!="]);
    match random.below(5) {
        0 => format!("(({}) && ({}))", truth(random, depth), truth(random, depth)),
        1 => format!("(({}) || ({}))", truth(random, depth), truth(random, depth)),
        2 => format!("!({})", truth(random, depth)),
        3 => format!(
            "({}) {comparison} ({})",
            integer(random, depth),
            integer(random, depth)
        ),
        _ => format!(
            "({}) {comparison} ({})",
            real(random, depth),
            integer(random, depth)
        ),
    }
}

fn statement(random: &mut Random) -> String {
    match random.below(11) {
        0 => format!(
            "n {} {};",
            random.pick(&["+=", "-=", "*=", "^=", "|=", "&=", "="]),
            integer(random, 2)
        ),
        1 => format!(
            "n {} divisor({});",
            random.pick(&["/=", "%="]),
            integer(random, 2)
        ),
        2 => format!(
            "n {} ({}) & 15;",
            random.pick(&["<<=", ">>="]),
            integer(random, 1)
        ),
        3 => format!(
            "r {} {};",
            random.pick(&["+=", "-=", "*=", "="]),
            real(random, 2)
        ),
        4 => format!("n = whole({}); r += n;", real(random, 2)),
        5 => format!(
            "a[n & 3] {} {};",
            random.pick(&["=", "+=", "^="]),
            integer(random, 2)
        ),
        6 => format!(
            "w[k & 3] {} {};",
            random.pick(&["=", "+=", "-="]),
            real(random, 2)
        ),
        7 => format!("c = {};", truth(random, 2)),
        8 => format!(
            "if ({}) {{ r -= {}; {}; }} else n++;",
            truth(random, 2),
            real(random, 1),
            random.pick(&["continue", "break", "n--"]),
        ),
        9 => format!(
            "int m = 0; while (m < 4 && {}) {{ m += 1; r = r / 2 + {}; }} \
             do {{ n -= m; --m; if ({}) continue; r++; }} while (m > 0);",
            truth(random, 1),
            real(random, 1),
            truth(random, 1)
        ),
        _ => format!(
            "for (int m = 1; m < 5; m++) {{ if ({}) continue; if ({}) {{ {}; }} n -= m; }}",
            truth(random, 1),
            truth(random, 1),
            random.pick(&["break", "return m", "r += m"])
        ),
    }
}

/// Generates the body of a random function. A result that isn't a valid cost is converted into a
/// valid one.
fn body(random: &mut Random) -> String {
    let mut body = format!(
        "long n = {}, k = 2, a[4] = {{1, -2, 3}};\ndouble r = 0.5, w[4] = {{0.1, x}};\nr = {};\n",
        random.pick(&["5", "-12", "x", "b"]),
        real(random, 3)
    );
    body.push_str("for (k = 0; k < 6; k++) {\n");
    for _ in 0..=random.below(4) {
        writeln!(body, "  {{ {} }}", statement(random)).expect("text can always grow");
    }
    writeln!(
        body,
        "}}\nconst double result = {} + n + w[1] + a[2];",
        if random.below(2) == 0 {
            real(random, 4)
        } else {
            integer(random, 4)
        }
    )
    .expect("text can always grow");
    body + "if (fabs(result) < 1e30) return result; else return 12345;"
}

fn call(random: &mut Random, number: usize) -> String {
    let integers = ["-9", "0", "1", "7", "123456789"];
    let reals = ["-2.25", "0", "0.1", "1e3", "3"];
    let truths = ["true", "false", "1"];
    format!(
        "F{number}({}, {}, {}, {}, {}, {})",
        random.pick(&integers),
        random.pick(&integers),
        random.pick(&reals),
        random.pick(&reals),
        random.pick(&truths),
        random.pick(&truths)
    )
}

/// Computes the calls in a program compiled with gcc. Returns the values, or `None` if gcc isn't
/// installed.
fn with_gcc(folder: &Path, bodies: &[String], calls: &[String]) -> Option<Vec<f64>> {
    let parameters = |list: Parameters| {
        let list: Vec<String> = list
            .iter()
            .map(|(kind, name)| format!("{kind} {name}"))
            .collect();
        list.join(", ")
    };
    let mut lines = vec![PRELUDE.to_owned()];
    for (name, list, body) in HELPERS {
        lines.push(format!("{name}({}) {{ {body} }}", parameters(list)));
    }
    let list = parameters(PARAMETERS);
    for (number, body) in bodies.iter().enumerate() {
        lines.push(format!("double F{number}({list}) {{\n{body}\n}}"));
    }
    lines.push("#undef int\nint main(void) {".to_owned());
    for call in calls {
        lines.push(format!("  printf(\"%.17g\\n\", fabs({call}));"));
    }
    lines.push("  return 0;\n}\n".to_owned());
    let (source, program) = (folder.join("functions.c"), folder.join("functions"));
    fs::write(&source, lines.join("\n")).expect("a file can be written");
    let compiled = Command::new("gcc")
        .args(["-O0", "-w", "-fwrapv", "-ffp-contract=off", "-o"])
        .args([&program, &source])
        .arg("-lm")
        .output()
        .ok()?;
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let output = Command::new(program).output().expect("it was compiled");
    assert!(output.status.success(), "{}", output.status);
    let text = String::from_utf8(output.stdout).expect("numbers are text");
    Some(
        text.lines()
            .map(|line| line.parse().expect("a number"))
            .collect(),
    )
}

/// Draws a model in which each process executes only its own cost, starting at time 0. Its end time
/// is exactly the cost, without rounding.
fn draw(drawing: &mut Drawing, costs: &[String]) {
    // The size of decisions that people might draw.
    const GROUP: usize = 40;
    let groups = costs.chunks(GROUP).enumerate();
    drawing.node("InitialNode", "Start");
    drawing.node("DecisionNode", "Group");
    drawing.edge("Start", "Group", "");
    drawing.node("ActivityFinalNode", "End");
    for (group, _) in groups.clone() {
        let element = format!("Call{group}");
        drawing.call(&element, &format!("Group{group}"));
        drawing.edge("Group", &element, &format!("pid / {GROUP} == {group}"));
        drawing.edge(&element, "End", "");
    }
    for (group, costs) in groups {
        drawing.activity(&format!("Group{group}"));
        let (start, which, end) = (
            format!("Start{group}"),
            format!("Which{group}"),
            format!("End{group}"),
        );
        drawing.node("InitialNode", &start);
        drawing.node("DecisionNode", &which);
        drawing.node("ActivityFinalNode", &end);
        drawing.edge(&start, &which, "");
        for (number, cost) in costs.iter().enumerate() {
            let pid = group * GROUP + number;
            let element = format!("E{pid}");
            drawing.action(&element, "", "action", &format!("cost=\"{cost}\""));
            drawing.edge(&which, &element, &format!("pid == {pid}"));
            drawing.edge(&element, &end, "");
        }
    }
}

fn with_prophet(name: &str, mut drawing: Drawing, costs: &[String]) -> Vec<f64> {
    draw(&mut drawing, costs);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let model = folder.join(name).with_extension("uml");
    fs::create_dir_all(&folder).expect("a folder can be made");
    fs::write(&model, drawing.xmi()).expect("a file can be written");
    let programs = Programs::build(&folder, std::slice::from_ref(&model));
    programs.clippy();
    let count = costs.len().to_string();
    let flags = [
        "--processes",
        &count,
        "--cpus-per-node",
        &count,
        "--format",
        "json",
    ];
    let output = programs.run(&model, &flags);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    // Parses numbers with Rust's parser, because serde_json's may differ in the last bit.
    let text = String::from_utf8_lossy(&output.stdout);
    let ends = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("\"end_s\": "));
    ends.map(|end| end.trim_end_matches(',').parse().expect("a number"))
        .collect()
}

#[test]
fn c_means_what_it_means_to_gcc() {
    let mut random = Random(2);
    let bodies: Vec<String> = (0..FUNCTIONS).map(|_| body(&mut random)).collect();
    let calls: Vec<String> = (0..FUNCTIONS)
        .map(|number| call(&mut random, number))
        .collect();
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let Some(expected) = with_gcc(folder.path(), &bodies, &calls) else {
        skip("there is no gcc");
        return;
    };
    let mut drawing = Drawing::new("Random C functions");
    for (name, parameters, body) in HELPERS {
        drawing.function(name, parameters, "C", body);
    }
    // `int` and `long` are the same type.
    let parameters = PARAMETERS.iter().map(|(kind, name)| match *kind {
        "int" => ("long", *name),
        kind => (kind, *name),
    });
    let parameters: Vec<(&str, &str)> = parameters.collect();
    for (number, body) in bodies.iter().enumerate() {
        drawing.function(&format!("F{number}"), &parameters, "C", body);
    }
    let costs: Vec<String> = calls.iter().map(|call| format!("fabs({call})")).collect();
    let found = with_prophet("random_c", drawing, &costs);
    assert_eq!(found.len(), expected.len());
    for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert!(
            found.to_bits() == expected.to_bits(),
            "{} is {found} instead of {expected}:\n{}",
            calls[number],
            bodies[number]
        );
    }
    // Most functions compute something.
    let plain = expected
        .iter()
        .filter(|value| (**value - 12345.0).abs() < 0.5)
        .count();
    assert!(
        plain < FUNCTIONS / 10,
        "{plain} functions have no result of their own"
    );
}

/// A function that is compiled by Rust's compiler.
type Compiled = fn(i64, f64) -> f64;

/// Defines functions of `i: i64` and `x: f64`. Each exists both as a Rust function and as text for
/// a model.
macro_rules! functions {
    ($i:ident, $x:ident: $($body:block)*) => {
        [$((stringify!($body), |$i: i64, $x: f64| -> f64 {
            let _ = ($i, $x);
            $body
        })),*]
    };
}

#[expect(
    clippy::cast_lossless,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "authors of models need not write as we do"
)]
fn rust_functions() -> [(&'static str, Compiled); 15] {
    functions! { i, x:
        { (32 / (i + 1)) as f64 }
        { 121.0 / x + (i % 7) as f64 }
        { (-i / 4 * 4 - i % 4) as f64 * 0.1 }
        { ((i << 5) ^ (i >> 2) | 9 & !i) as f64 }
        { if x > 2.0 && i != 3 { x * x } else { -x / 3.0 } }
        { if i < 0 { 1.0 } else if i == 5 || x < 0.0 { 2.0 } else { 3.0 } }
        { (x * 10.0) as i64 as f64 + (x > 1.0) as i64 as f64 }
        { let a = [1, 2, 3]; let k = i & 1; a[k as usize] as f64 }
        { let mut sum = 0.0; for k in 1..i { sum += (i * k) as f64 * 1.3e-9; } sum }
        { let mut n = 1; for k in 1..=i { n = n * k % 1_000_007; } n as f64 }
        { let mut y = x; while y > 1.0 { y /= 1.7; } y }
        { let mut n = 27; let mut k = 0; loop { if n == 1 { break; } k += 1;
            if n % 2 == 0 { n /= 2; continue; } n = 3 * n + 1; } k as f64 }
        { let mut a = [0.5; 8]; a[2] += x; a[(i & 7) as usize] *= 3.0; a[2] - a[5] + a[7] }
        { x.max(2.5).min(i as f64).abs() + i.abs().min(3) as f64 + x.floor() }
        { if i > 3 { return x; } let flag = i == 3;
            let y: f64 = if flag { 0.25 } else { 8.0 }; y * x }
    }
}

#[test]
fn rust_means_what_it_means_to_rust() {
    const ARGUMENTS: [(i64, f64); 4] = [(0, 0.1), (3, 2.25), (5, -7.5), (12, 1e3)];
    let mut drawing = Drawing::new("Rust functions");
    let (mut costs, mut expected) = (Vec::new(), Vec::new());
    for (number, (text, function)) in rust_functions().into_iter().enumerate() {
        // The body is between the braces.
        let body = text
            .strip_prefix('{')
            .and_then(|text| text.strip_suffix('}'));
        let body = body.expect("a block has braces");
        let parameters = [("long", "i"), ("double", "x")];
        drawing.function(&format!("F{number}"), &parameters, "Rust", body);
        for (i, x) in ARGUMENTS {
            costs.push(format!("fabs(F{number}({i}, {x:?}))"));
            expected.push(function(i, x).abs());
        }
    }
    let found = with_prophet("rust_functions", drawing, &costs);
    for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
        let same = found.to_bits() == expected.to_bits();
        assert!(same, "{} is {found} instead of {expected}", costs[number]);
    }
    assert_eq!(found.len(), expected.len());
}
