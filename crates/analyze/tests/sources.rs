//! Analyzes small sources, and shows what becomes of them.

use std::fs;
use std::process::{Command, Output};

use prophet_testing::skip;

/// A start of MPI's header, so that these tests need only clang.
const MPI: &str = "typedef struct c *MPI_Comm; typedef struct d *MPI_Datatype;\n\
    extern struct ompi_c { int x; } ompi_mpi_comm_world;\n\
    extern struct ompi_d { int x; } ompi_mpi_double;\n\
    #define MPI_COMM_WORLD ((MPI_Comm)(void *)&ompi_mpi_comm_world)\n\
    #define MPI_DOUBLE ((MPI_Datatype)(void *)&ompi_mpi_double)\n\
    int MPI_Comm_rank(MPI_Comm, int *); int MPI_Comm_size(MPI_Comm, int *);\n\
    int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm); int atoi(const char *);\n\
    int MPI_Comm_split(MPI_Comm, int, int, MPI_Comm *);\n\
    int MPI_Barrier(MPI_Comm); void longjmp(void *, int);\n";

/// Runs `analyze` in a folder with these files; `None` without clang.
fn run(files: &[(&str, &str)], words: &[&str]) -> Option<(Output, String)> {
    if prophet_analyze::clang().is_err() {
        skip(format_args!("there is no clang"));
        return None;
    }
    let folder = tempfile::tempdir().expect("there is room");
    let header = ("mpi.h", MPI);
    for (name, text) in files.iter().chain([&header]) {
        let text = text.replace("FOLDER", &folder.path().display().to_string());
        fs::write(folder.path().join(name), text).expect("there is room");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_prophet-analyze"));
    command.current_dir(folder.path());
    command.args(["--out", "app.prophet.xml", "--mpicc", "true"]);
    let output = command.args(words).output().expect("it starts");
    let model = fs::read_to_string(folder.path().join("app.prophet.xml")).unwrap_or_default();
    Some((output, model))
}

fn analyzed(source: &str, more: &[&str]) -> Option<(Output, String)> {
    let words = [&["app.c"], more, &["--", "-I."]].concat();
    run(&[("app.c", source)], &words)
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

/// Returns the program with another statement before its end, and with functions.
fn ring_with(functions: &str, statement: &str) -> String {
    let text = RING.replace("int main", &format!("{functions}\nint main"));
    text.replace("return 0", &format!("{statement} return 0"))
}

#[test]
fn what_cannot_be_followed_is_left_open_with_its_place() {
    let send = "MPI_Send(x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);";
    let function = format!("static void f(double *x) {{ {send} }}");
    let cases = [
        (
            ring_with(&function, "void (*g)(double *) = f; g(x);"),
            "app.c:8: a call through a pointer was left open",
        ),
        (
            ring_with(&function, "void (*g)(double *) = f; g(x);"),
            "nothing in the model calls these functions with messages: f",
        ),
        (
            ring_with("", &format!("again: {send} if (n--) goto again;")),
            "app.c:8: a LabelStmt was left open",
        ),
        (
            ring_with("", &format!("if (n == 1) return 2; {send} ").repeat(200)),
            "branches are nested too deep; what follows was left open",
        ),
        (
            ring_with("", "longjmp(x, 1);"),
            "app.c:8: longjmp was left open",
        ),
        (
            ring_with(
                "",
                &format!("switch (n) {{ case 1: {send} case 2: {send} }}"),
            ),
            "app.c:8: a switch whose cases don't end with a break was left open",
        ),
        (
            ring_with("int unknown(void);", &format!("if (unknown()) {send}")),
            "set it with the parameter is_true_line8 (here 0)",
        ),
    ];
    for (source, expected) in cases {
        let Some((output, model)) = analyzed(&source, &[]) else {
            return;
        };
        let told = told(&output);
        assert!(output.status.success() && !model.is_empty(), "{told}");
        assert!(told.contains(expected), "{expected}: {told}");
    }
}

#[test]
fn calls_that_macros_hide_are_found() {
    let source = ring_with(
        "#define HIDDEN(n) do { MPI_Send(x, n, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD); } while (0)",
        "HIDDEN(3);",
    );
    let Some((output, model)) = analyzed(&source, &[]) else {
        return;
    };
    assert!(
        model.contains("size=\"24\" tag=\"5\""),
        "{} {model}",
        told(&output)
    );
}

#[test]
fn members_of_parts_of_all_ranks_are_functions() {
    let source = ring_with(
        "",
        "MPI_Comm row; int own; MPI_Comm_split(MPI_COMM_WORLD, rank / 4, -rank, &row); \
         MPI_Comm_rank(row, &own); if (own == 0) MPI_Send(x, 1, MPI_DOUBLE, 1, 9, row);",
    );
    let Some((output, model)) = analyzed(&source, &[]) else {
        return;
    };
    for part in [
        "<body>return of / 4;</body>",
        "<body>return -of;</body>",
        "own = main_row_rank(pid);",
        "dest=\"main_row_member(1)\"",
    ] {
        assert!(model.contains(part), "{part} {} {model}", told(&output));
    }
}

#[test]
fn classes_and_namespaces_are_read() {
    let header = "extern \"C\" {\n";
    let source = format!(
        "{header}#include \"mpi.h\"\n}}\nnamespace halo {{\n\
         struct Exchange {{ void send(double *x, int to) {{\n\
         MPI_Send(x, 4, MPI_DOUBLE, to, 3, MPI_COMM_WORLD); }} }};\n}}\n\
         int main(int, char **) {{ int rank; double x[4]; halo::Exchange all;\n\
         MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n\
         for (int step = 0; step < 6; ++step) all.send(x, rank + 1);\n}}\n"
    );
    let Some((output, model)) = run(&[("app.cc", &source)], &["app.cc", "--", "-I."]) else {
        return;
    };
    for part in [
        "iterations=\"6\"",
        "activity=\"send\"",
        "size=\"32\" tag=\"3\"",
        "to = pid + 1;",
    ] {
        assert!(model.contains(part), "{part} {} {model}", told(&output));
    }
}

#[test]
fn lists_of_build_tools_are_read() {
    let list = "[{\"directory\": \"FOLDER\", \"file\": \"app.c\", \
                \"command\": \"cc -O2 -DTAG=4 -I . -c app.c\"}]";
    let source = ring_with("", "MPI_Send(x, 1, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD);");
    let files = [("app.c", source.as_str()), ("list.json", list)];
    let words = ["--compile-commands", "list.json"];
    let Some((output, model)) = run(&files, &words) else {
        return;
    };
    assert!(model.contains("tag=\"4\""), "{} {model}", told(&output));
    // Neither a name that looks like a flag, nor blanks in quotes, change what clang does.
    let list = "[{\"directory\": \"FOLDER\", \"file\": \"-DTAG=5.c\", \
                \"command\": \"cc -DWORD='a b' '-DTAG=6' -c app.c\"}]";
    let files = [("-DTAG=5.c", source.as_str()), ("list.json", list)];
    let Some((output, model)) = run(&files, &words) else {
        return;
    };
    assert!(model.contains("tag=\"6\""), "{} {model}", told(&output));
    let unclosed = "[{\"directory\": \"\", \"file\": \"\", \"command\": \"cc '-DA\"}]";
    for (list, expected) in [
        ("{}", "error: list.json: "),
        (
            unclosed,
            "error: list.json: a quote is not closed in `cc '-DA`",
        ),
    ] {
        let Some((output, _)) = run(&[("list.json", list)], &words) else {
            return;
        };
        let told = told(&output);
        assert!(told.starts_with(expected), "{told}");
    }
}
