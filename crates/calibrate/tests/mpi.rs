//! A ping-pong with the MPI of the machine at hand.

use std::fs;
use std::process::Command;

use prophet_runtime::Machine;

#[test]
fn a_ping_pong_here_is_a_machine() {
    if !prophet_testing::has("mpicc", "--version") || !prophet_testing::has("mpirun", "--version") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (csv, out) = (path("rows.csv"), path("machine.toml"));
    let output = Command::new(env!("CARGO_BIN_EXE_prophet-calibrate"))
        .args(["network", "--run", "--csv", &csv, "--out", &out])
        // Open MPI starts nothing as root unless told so.
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .output()
        .expect("the program can be started");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(Machine::read(&out).is_ok());
    let rows = fs::read_to_string(&csv).expect("it was written");
    assert!(rows.starts_with("size,time_s,send_s,held_s\n1,"), "{rows}");
    assert_eq!(rows.lines().count(), 24, "{rows}");

    // What is kept gives the same network again.
    let again = path("again.toml");
    let output = Command::new(env!("CARGO_BIN_EXE_prophet-calibrate"))
        .args(["network", &csv, "--out", &again])
        .output()
        .expect("the program can be started");
    assert!(output.status.success());
    let network = |path: &str| {
        let text = fs::read_to_string(path).expect("it was written");
        let line = text.lines().find(|line| line.starts_with("network = "));
        line.expect("it has a network").to_owned()
    };
    assert_eq!(network(&out), network(&again));
    assert!(network(&out).contains("loggp:"));
}
