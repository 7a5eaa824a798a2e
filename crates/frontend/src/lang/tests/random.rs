//! Random C expressions, printed as C, read by the front end and run, compared with an independent
//! evaluation of C's rules, and with a C compiler if there is one.

use std::fmt::Write as _;
use std::process::Command;

use proptest::prelude::*;

use super::expressions::{C, Variables, case};
use super::value;
use crate::lang::constant::Constant;
use crate::lang::evaluate::{Fault, Machine, Value};
use prophet_model::model::Language;

impl Variables {
    /// Value of a name without an index.
    fn value(&self, name: &str) -> V {
        match name {
            "GV" => V::Int(self.gv),
            "k" => V::Int(self.k),
            "P" => V::Real(self.p),
            "ok" => V::Int(i64::from(self.ok)),
            "true" => V::Int(1),
            _ => V::Int(0),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum V {
    Int(i64),
    Real(f64),
}

impl C {
    /// Evaluates the expression by C's rules, on integers of 64 bits that wrap. `undefined` becomes
    /// true if C leaves the result to the compiler.
    fn run(&self, on: &Variables, undefined: &mut bool) -> Result<V, Fault> {
        Ok(match self {
            Self::Int(value) => V::Int(*value),
            Self::Real(value) => V::Real(*value),
            Self::Name(name) => on.value(name),
            Self::Item(name, index) => {
                let V::Int(index) = index.run(on, undefined)? else {
                    panic!("indices are ints");
                };
                let index = usize::try_from(index).expect("indices are small");
                match *name {
                    "A" => V::Real(on.a[index]),
                    _ => V::Int(on.i[index]),
                }
            }
            Self::Unary(op, operand) => match (*op, operand.run(on, undefined)?) {
                ("-", V::Int(value)) => V::Int(value.wrapping_neg()),
                ("-", V::Real(value)) => V::Real(-value),
                ("+", value) => value,
                ("!", value) => V::Int(i64::from(!truth(value))),
                ("~", V::Int(value)) => V::Int(-1 - value),
                other => panic!("{other:?}"),
            },
            Self::Cast(ty, operand) => {
                let value = operand.run(on, undefined)?;
                match *ty {
                    "double" => V::Real(real(value)),
                    "bool" => V::Int(i64::from(truth(value))),
                    _ => V::Int(whole(value, undefined)),
                }
            }
            Self::Conditional(condition, then, otherwise) => {
                let branch = if truth(condition.run(on, undefined)?) {
                    then
                } else {
                    otherwise
                };
                let value = branch.run(on, undefined)?;
                if then.is_real() || otherwise.is_real() {
                    V::Real(real(value))
                } else {
                    value
                }
            }
            Self::Call(name, arguments) => {
                let mut values = Vec::new();
                for argument in arguments {
                    values.push(argument.run(on, undefined)?);
                }
                match (*name, values.as_slice()) {
                    ("min", [V::Int(a), V::Int(b)]) => V::Int(if a < b { *a } else { *b }),
                    ("max", [V::Int(a), V::Int(b)]) => V::Int(if a > b { *a } else { *b }),
                    ("fabs", [a]) => V::Real(real(*a).abs()),
                    ("floor", [a]) => V::Real(real(*a).floor()),
                    ("sqrt", [a]) => V::Real(real(*a).sqrt()),
                    other => panic!("{other:?}"),
                }
            }
            Self::Binary(op, left, right) => {
                let left = left.run(on, undefined)?;
                match *op {
                    "&&" if !truth(left) => V::Int(0),
                    "||" if truth(left) => V::Int(1),
                    "&&" | "||" => V::Int(i64::from(truth(right.run(on, undefined)?))),
                    _ => operate(op, left, right.run(on, undefined)?, undefined)?,
                }
            }
        })
    }

    /// True if the type of the expression is double.
    fn is_real(&self) -> bool {
        match self {
            Self::Int(_) => false,
            Self::Real(_) => true,
            Self::Name(name) | Self::Item(name, _) => matches!(*name, "P" | "A"),
            Self::Unary(op, operand) => *op != "!" && operand.is_real(),
            Self::Cast(ty, _) => *ty == "double",
            Self::Conditional(_, a, b) => a.is_real() || b.is_real(),
            Self::Call(name, _) => !matches!(*name, "min" | "max"),
            Self::Binary(op, a, b) => {
                matches!(*op, "+" | "-" | "*" | "/") && (a.is_real() || b.is_real())
            }
        }
    }
}

fn truth(value: V) -> bool {
    match value {
        V::Int(value) => value != 0,
        V::Real(value) => value != 0.0,
    }
}

#[expect(clippy::cast_precision_loss, reason = "C rounds as well")]
fn real(value: V) -> f64 {
    match value {
        V::Int(value) => value as f64,
        V::Real(value) => value,
    }
}

/// Converts to an integer: towards zero; outside its range undefined, and saturating here.
fn whole(value: V, undefined: &mut bool) -> i64 {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    match value {
        V::Int(value) => value,
        V::Real(value) => {
            let inside = (-LIMIT..LIMIT).contains(&value);
            *undefined |= !inside;
            if value.is_nan() {
                0
            } else if value >= LIMIT {
                i64::MAX
            } else if value < -LIMIT {
                i64::MIN
            } else {
                let text = format!("{:.0}", value.trunc());
                text.parse().expect("it is in range")
            }
        }
    }
}

#[expect(clippy::float_cmp, reason = "it is C's comparison")]
fn operate(op: &str, left: V, right: V, undefined: &mut bool) -> Result<V, Fault> {
    let (V::Int(a), V::Int(b)) = (left, right) else {
        let (a, b) = (real(left), real(right));
        let truth = match op {
            "+" => return Ok(V::Real(a + b)),
            "-" => return Ok(V::Real(a - b)),
            "*" => return Ok(V::Real(a * b)),
            "/" => return Ok(V::Real(a / b)),
            "<" => a < b,
            "<=" => a <= b,
            ">" => a > b,
            ">=" => a >= b,
            "==" => a == b,
            _ => a != b,
        };
        return Ok(V::Int(i64::from(truth)));
    };
    let wide = |value: i128| {
        let low = u64::try_from(value & i128::from(u64::MAX)).expect("64 bits are left");
        i64::from_ne_bytes(low.to_ne_bytes())
    };
    let (x, y) = (i128::from(a), i128::from(b));
    Ok(V::Int(match op {
        "+" => wide(x + y),
        "-" => wide(x - y),
        "*" => wide(x * y),
        "/" | "%" if b == 0 => return Err(Fault::DivisionByZero),
        "/" | "%" => {
            *undefined |= a == i64::MIN && b == -1;
            wide(if op == "/" { x / y } else { x % y })
        }
        "<<" => wide(x << b),
        ">>" => a >> b,
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "<" => i64::from(a < b),
        "<=" => i64::from(a <= b),
        ">" => i64::from(a > b),
        ">=" => i64::from(a >= b),
        "==" => i64::from(a == b),
        _ => i64::from(a != b),
    }))
}

/// Value according to the front end and the evaluator of its form, as a real.
fn ours(text: &str, on: &Variables) -> Result<f64, Fault> {
    let mut machine = Machine {
        globals: [
            Value::Scalar(Constant::Int(on.gv)),
            Value::Scalar(Constant::Real(on.p)),
            Value::Scalar(Constant::Bool(on.ok)),
            Value::Array(on.a.iter().copied().map(Constant::Real).collect()),
            Value::Array(on.i.iter().copied().map(Constant::Int).collect()),
        ]
        .into(),
        locals: [("k".to_owned(), Value::Scalar(Constant::Int(on.k)))].into(),
        ..Machine::default()
    };
    match machine.evaluate(&value(text, Language::C))? {
        Constant::Real(value) => Ok(value),
        other => panic!("{other:?} is not a real"),
    }
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: prophet_testing::cases(2000),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn expressions_mean_what_c_says(seed in any::<u64>()) {
        if let Some((text, expression, on)) = case(seed) {
            let expected = expression.run(&on, &mut false).map(real);
            let actual = ours(&text, &on);
            let equal = match (&expected, &actual) {
                (Ok(a), Ok(b)) => same(*a, *b),
                (a, b) => a == b,
            };
            prop_assert!(equal, "{text}\n{on:?}\n{expected:?} {actual:?}");
        }
    }
}

/// Writes the C program that prints the bits of the value of each expression.
fn program(cases: &[(String, C, Variables)]) -> String {
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
        writeln!(source, "\nshow({text});").expect("strings grow");
    }
    source.push_str("return 0; }\n");
    source
}

#[test]
fn expressions_mean_what_a_c_compiler_makes_of_them() {
    if !prophet_testing::has("gcc", "--version") {
        return;
    }
    let cases: Vec<(String, C, Variables)> = (0..1000)
        .filter_map(case)
        .filter(|(_, expression, on)| {
            let mut undefined = false;
            expression.run(on, &mut undefined).is_ok() && !undefined
        })
        .collect();
    assert!(cases.len() > 400, "{} cases are left", cases.len());
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (source, binary) = (folder.path().join("cases.c"), folder.path().join("cases"));
    std::fs::write(&source, program(&cases)).expect("a file can be written");
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
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), cases.len());
    for ((text, _, on), line) in cases.iter().zip(lines) {
        let expected = f64::from_bits(line.parse().expect("bits are printed"));
        let actual = ours(text, on).expect("it has a value");
        // Adding zero drops the sign of a zero: gcc folds `0.0 - (a == b)` to minus zero.
        let equal = same(expected + 0.0, actual + 0.0);
        assert!(equal, "{text}\n{on:?}\n{expected} {actual}");
    }
}
