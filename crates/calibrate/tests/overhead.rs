//! Tests that the ping-pong program finds the overhead of an MPI library with known times.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Imitates MPI. A send takes 75 to 85 ns, and reading the clock takes 20 to 30 ns, sometimes up to
/// 2 us more.
const MPI: &str = r"
#include <stdlib.h>
enum { MPI_BYTE, MPI_COMM_WORLD, MPI_STATUS_IGNORE };
static double now;
static unsigned long long state = 1;
static double noise(void)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(state >> 40) / (1 << 24);
}
static double MPI_Wtime(void)
{
    double before = now;
    now += 20e-9 + 10e-9 * noise();
    if (noise() < 0.02)
        now += 2e-6 * noise();
    return before + 10e-9;
}
#define MPI_Send(buffer, bytes, type, to, tag, comm) (now += 75e-9 + 10e-9 * noise())
#define MPI_Recv(buffer, bytes, type, from, tag, comm, status) (now += 500e-9)
#define MPI_Init(count, values) 0
#define MPI_Comm_rank(comm, rank) (*(rank) = 0)
#define MPI_Abort(comm, code) exit(code)
#define MPI_Barrier(comm) 0
#define MPI_Finalize() 0
";

#[test]
fn the_overhead_is_the_middle_of_noisy_differences() {
    if !prophet_testing::has("cc", "--version") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::write(folder.path().join("mpi.h"), MPI).expect("it can be written");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/network/pingpong.c");
    let program = folder.path().join("pingpong");
    let compiled = Command::new("cc")
        .args(["-O1", "-w", "-I"])
        .args([folder.path(), &source, Path::new("-o"), &program])
        .status()
        .expect("the compiler can be started");
    assert!(compiled.success());
    let output = Command::new(&program).output().expect("it can be started");
    let rows = String::from_utf8(output.stdout).expect("it is text");
    let sends: Vec<f64> = { rows.lines().skip(1).take(8) }
        .map(|row| row.split(',').nth(2).expect("there are four columns"))
        .map(|send| send.parse().expect("it is a number"))
        .collect();
    assert_eq!(sends.len(), 8, "{rows}");
    for send_s in sends {
        assert!(
            (70e-9..90e-9).contains(&send_s),
            "{send_s} s, not 80 ns: {rows}"
        );
    }
}
