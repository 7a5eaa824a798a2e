//! Analyzes small sources, and shows what becomes of them.

use std::fs;
use std::process::{Command, Output};

use prophet_testing::skip;

/// A start of MPI's header, so that these tests need only clang.
const MPI: &str = "typedef struct c *MPI_Comm; typedef struct d *MPI_Datatype;\n\
    extern struct ompi_c { int x; } ompi_mpi_comm_world; extern struct ompi_d { int x; } ompi_mpi_double;\n\
    #define MPI_COMM_WORLD ((MPI_Comm)(void *)&ompi_mpi_comm_world)\n\
    #define MPI_DOUBLE ((MPI_Datatype)(void *)&ompi_mpi_double)\n\
    int MPI_Comm_rank(MPI_Comm, int *); int MPI_Comm_size(MPI_Comm, int *);\n\
    int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm); int atoi(const char *);\n";

/// Analyzes a program; `None` without clang.
fn analyzed(source: &str, more: &[&str]) -> Option<(Output, String)> {
    if prophet_analyze::clang().is_err() {
        skip(format_args!("there is no clang"));
        return None;
    }
    let folder = tempfile::tempdir().expect("there is room");
    fs::write(folder.path().join("mpi.h"), MPI).expect("there is room");
    fs::write(folder.path().join("app.c"), source).expect("there is room");
    let mut command = Command::new(env!("CARGO_BIN_EXE_prophet-analyze"));
    command.current_dir(folder.path());
    command.args(["app.c", "--out", "app.prophet.xml", "--mpicc", "true"]);
    let output = command
        .args(more)
        .args(["--", "-I."])
        .output()
        .expect("it starts");
    let model = fs::read_to_string(folder.path().join("app.prophet.xml")).unwrap_or_default();
    Some((output, model))
}

fn told(output: &Output) -> String {
    let streams = [&output.stdout, &output.stderr];
    streams
        .map(|it| String::from_utf8_lossy(it).into_owned())
        .concat()
}

const RING: &str = "#include \"mpi.h\"\n\
    int main(int argc, char **argv) {\n\
      int rank, ranks, n = argc > 1 ? atoi(argv[1]) : 7; double x[8] = {0};\n\
      MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &ranks);\n\
      for (int i = 0; i < n; i += 2)\n\
        if (rank % 2 == 0) MPI_Send(x, 8 * n, MPI_DOUBLE, (rank + 1) % ranks, i, MPI_COMM_WORLD);\n\
      return 0; }\n";

#[test]
fn expressions_are_those_of_the_source() {
    let Some((output, model)) = analyzed(RING, &["--set", "n=9"]) else {
        return;
    };
    assert!(output.status.success(), "{}", told(&output));
    for part in [
        "<parameter name=\"n\" type=\"long\" value=\"9\">",
        "iterations=\"(n + 1) / 2\"",
        "guard=\"pid % 2 == 0\"",
        "dest=\"(pid + 1) % NUM_PROCESSES\" size=\"8 * (8 * n)\" tag=\"i\"",
        "<comment>app.c:6</comment>",
    ] {
        assert!(model.contains(part), "{part} {model}");
    }
}

#[test]
fn mistakes_are_told() {
    let deep = format!("int main(void) {{ return {}1; }}", "!".repeat(300));
    let recursive = RING.replace(
        "int main",
        "void f(double *x) { \
        MPI_Send(x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD); f(x); }\nint main",
    );
    let recursive = recursive.replace("return 0", "f(x); return 0");
    let cases: [(&str, &[&str], bool, &str); 6] = [
        (
            "int main(void) { return x; }",
            &[],
            false,
            "use of undeclared identifier",
        ),
        ("#include <none.h>", &[], false, "'none.h' file not found"),
        (
            "int f(void) { return 1; }",
            &[],
            false,
            "do not define `main`",
        ),
        (RING, &["--set", "m=1"], false, "unknown parameter `m`"),
        (&deep, &[], false, "nested deeper than 256 levels"),
        (
            &recursive,
            &[],
            true,
            "f calls itself; the call was left open",
        ),
    ];
    for (source, more, succeeds, expected) in cases {
        let Some((output, _)) = analyzed(source, more) else {
            return;
        };
        assert_eq!(output.status.success(), succeeds, "{}", told(&output));
        assert!(
            told(&output).contains(expected),
            "{expected}: {}",
            told(&output)
        );
    }
}
