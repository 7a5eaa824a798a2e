//! Evaluates random C expressions with a C compiler.

use std::fmt::Write as _;
use std::process::Command;

use super::expressions::{C, Variables, case};

type Case = (String, C, Variables);

/// Returns several hundred cases that don't depend on the compiler.
pub(super) fn cases() -> Vec<Case> {
    let cases: Vec<Case> = (0..1000)
        .filter_map(case)
        .filter(|(_, expression, on)| {
            let mut undefined = false;
            expression.run(on, &mut undefined).is_some() && !undefined
        })
        .collect();
    assert!(cases.len() > 400, "{} cases are left", cases.len());
    cases
}

/// Returns the values that gcc computes for all forms of each case.
pub(super) fn values(cases: &[Case], forms: impl Fn(&str) -> Vec<String>) -> Vec<Vec<f64>> {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (source, binary) = (folder.path().join("cases.c"), folder.path().join("cases"));
    std::fs::write(&source, program(cases, &forms)).expect("a file can be written");
    let compiled = Command::new("gcc")
        .args(["-O0", "-w", "-fwrapv", "-ffp-contract=off", "-o"])
        .args([&binary, &source])
        .arg("-lm")
        .output()
        .expect("gcc runs");
    let errors = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{errors}");
    let output = Command::new(&binary)
        .output()
        .expect("the cases run")
        .stdout;
    let output = String::from_utf8(output).expect("digits are printed");
    let bits = |line: &str| f64::from_bits(line.parse().expect("bits are printed"));
    let printed: Vec<f64> = output.lines().map(bits).collect();
    let count = forms(&cases[0].0).len();
    assert_eq!(printed.len(), count * cases.len());
    printed.chunks(count).map(<[f64]>::to_vec).collect()
}

/// Writes a C program that prints the bits of the value of each form.
fn program(cases: &[Case], forms: impl Fn(&str) -> Vec<String>) -> String {
    let mut source = String::from(
        "#include <math.h>\n#include <stdbool.h>\n#include <stdio.h>\n#include <string.h>\n\
         static long min(long a, long b) { return a < b ? a : b; }\n\
         static long max(long a, long b) { return a > b ? a : b; }\n\
         static void show(double x) {\n\
         unsigned long u; memcpy(&u, &x, 8); printf(\"%lu\\n\", u); }\n\
         static long GV, k, I[4]; static double P, A[8]; static bool ok;\nint main(void) {\n",
    );
    for (text, _, on) in cases {
        let int = |value: i64| format!("(long){value}UL").replace("(long)-", "(long)-(1UL)*");
        writeln!(source, "GV = {}; k = {};", int(on.gv), int(on.k)).expect("strings grow");
        writeln!(source, "P = {:?}; ok = {};", on.p, on.ok).expect("strings grow");
        for (index, value) in on.a.iter().enumerate() {
            write!(source, "A[{index}] = {value:?}; ").expect("strings grow");
        }
        for (index, value) in on.i.iter().enumerate() {
            write!(source, "I[{index}] = {}; ", int(*value)).expect("strings grow");
        }
        for form in forms(text) {
            writeln!(source, "\nshow({form});").expect("strings grow");
        }
    }
    source.push_str("return 0; }\n");
    source
}
