//! Tests that untrusted files never make the reader or the fit panic.

use prophet_calibrate::network::{Fitted, Model, parse};
use std::fmt::Write as _;

use proptest::prelude::*;

/// Generates lines as benchmarks print them. Some are invalid.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("# OSU MPI Latency Test v7.4".to_owned()),
        Just("# OSU MPI Bandwidth Test v7.4".to_owned()),
        Just("# Benchmarking PingPong".to_owned()),
        Just("# size count type redop root time algbw busbw #wrong".to_owned()),
        "#  Rank [0-9]{1,8}( Group [01])?",
        "[0-9]{1,10} 1 float (sum|none) (-1|0)( [0-9.]{1,5}){3} (0|1|N/A)",
        Just("       #bytes #repetitions      t[usec]   Mbytes/sec".to_owned()),
        Just("size,time_us".to_owned()),
        Just("size,time_us,send_us,held_us".to_owned()),
        "[0-9]{1,14}[ ,]{1,3}[0-9]{1,6}(\\.[0-9]{0,3})?",
        "[0-9]{1,9},[0-9]{1,4},[0-9]{1,4},[0-9]{0,4}",
        "[0-9eE.+-]{0,12} [0-9eE.+-]{0,12} [0-9eE.+-]{0,12}",
        "\\PC{0,40}",
    ]
}

fn fit(text: &[u8]) {
    let Ok(measured) = parse("stranger", text) else {
        return;
    };
    for model in [None, Some(Model::Hockney), Some(Model::LogGp)] {
        let Ok(fitted) = Fitted::new(&measured, model, &(0..=u64::MAX)) else {
            continue;
        };
        let toml = fitted.machine("m", &measured);
        let file = tempfile::Builder::new().suffix(".toml").tempfile();
        let file = file.expect("a file can be made");
        std::fs::write(file.path(), &toml).expect("a file can be written");
        let path = file.path().display().to_string();
        let machine = prophet_runtime::Machine::read(&path);
        assert!(machine.is_ok(), "{machine:?}: {toml}");
    }
}

proptest! {
    #[test]
    fn no_lines_panic(lines in proptest::collection::vec(line(), 0..30)) {
        fit(lines.join("\n").as_bytes());
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        fit(&bytes);
    }

    #[test]
    fn any_table_of_times_is_fitted_or_refused(
        rows in proptest::collection::vec((0..1_u64 << 40, 1e-12..1e9_f64), 1..80),
    ) {
        let rows = rows.iter().map(|(bytes, time)| format!("{bytes},{time:e}\n"));
        fit(format!("size,time_us\n{}", rows.collect::<String>()).as_bytes());
    }
}

#[test]
fn a_million_rows_are_fitted() {
    let mut table = "size,time_us\n".to_owned();
    for row in 0..1_000_000_u32 {
        let size = row % 5000;
        let us = f64::from(size) * 1e-3 + 1.0;
        writeln!(table, "{size},{us}").expect("it is text");
    }
    let measured = parse("rows", table.as_bytes()).expect("it is read");
    let fitted = Fitted::new(&measured, None, &(0..=u64::MAX)).expect("it is fitted");
    assert_eq!(fitted.flag(), "hockney:latency=1us,bandwidth=1GB/s");
}
