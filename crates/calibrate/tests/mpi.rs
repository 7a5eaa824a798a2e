//! Tests a ping-pong with the installed MPI.

use prophet_runtime::Machine;
use prophet_testing::{Home, stderr};

#[test]
fn a_ping_pong_here_is_a_machine() {
    if !prophet_testing::has("mpicc", "--version") || !prophet_testing::has("mpirun", "--version") {
        return;
    }
    let home = Home::of(env!("CARGO_BIN_EXE_prophet-calibrate"));
    // Open MPI doesn't run as root by default.
    let output = home
        .command("network --run --csv rows.csv --out machine.toml")
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .output()
        .expect("the program can be started");
    assert!(output.status.success(), "{}", stderr(&output));
    let out = home.path("machine.toml");
    assert!(Machine::read(out.to_str().expect("it is text")).is_ok());
    let rows = home.read("rows.csv");
    assert!(rows.starts_with("size,time_s,send_s,held_s\n1,"), "{rows}");
    assert_eq!(rows.lines().count(), 24, "{rows}");

    // The saved measurements give the same network again.
    home.printed("network rows.csv --out again.toml");
    let network = |name: &str| {
        let text = home.read(name);
        let line = text.lines().find(|line| line.starts_with("network = "));
        line.expect("it has a network").to_owned()
    };
    assert_eq!(network("machine.toml"), network("again.toml"));
    assert!(network("machine.toml").contains("loggp:"));
}
