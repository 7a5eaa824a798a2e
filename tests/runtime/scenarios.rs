//! Tests scenarios. Each file contains small programs on small machines, with their results.
#![expect(clippy::float_cmp, reason = "times are exact")]

mod parse;
mod run;
mod value;

use prophet_testing::assert_cases;

fn check(name: &str) {
    assert_cases(format!("scenarios/{name}.txt"), |case| {
        run::answer(case.input)
    });
}

/// Defines a test for each file, so that the tests run in parallel.
macro_rules! files {
    ($($name:ident),*) => {
        $(#[test]
        fn $name() {
            check(stringify!($name));
        })*
    };
}

files!(
    accelerators,
    any,
    any_of,
    any_tag,
    changes,
    charges,
    collectives,
    cpus,
    energy,
    failures,
    interfaces,
    links,
    memory,
    messages,
    misuse,
    nobody,
    rendezvous,
    requests,
    threads
);
