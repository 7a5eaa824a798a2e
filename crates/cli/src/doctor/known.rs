//! Lists the programs and libraries that commands use.

#[derive(Debug)]
pub(super) struct Known {
    pub(super) name: &'static str,
    pub(super) find: Find,
    /// The commands that use the part, and what for.
    pub(super) purpose: &'static str,
    pub(super) install: &'static str,
}

#[derive(Debug)]
pub(super) enum Find {
    /// The first of these programs that is installed.
    Programs(&'static [&'static str]),
    /// A Rust program. It must be recent enough.
    Rust(&'static str),
    /// The `SimGrid` headers, if the C++ compiler can find them.
    SimGrid,
}

const RUSTUP: &str = "install Rust from https://rustup.rs";

/// All parts, in display order.
pub(super) const PARTS: &[Known] = &[
    Known {
        name: "cargo",
        find: Find::Rust("cargo"),
        purpose: "run --evaluate native, compare: compiles models' crates",
        install: RUSTUP,
    },
    Known {
        name: "rustc",
        find: Find::Rust("rustc"),
        purpose: "run --evaluate native, compare: compiles models' crates",
        install: RUSTUP,
    },
    Known {
        name: "rustfmt",
        find: Find::Programs(&["rustfmt"]),
        purpose: "gen, run --evaluate native, compare: formats generated code",
        install: "rustup component add rustfmt",
    },
    Known {
        name: "g++",
        find: Find::Programs(&["g++"]),
        purpose: "compare, gen: compiles the targets cpp and simgrid",
        install: "install a C++ compiler (Debian: g++)",
    },
    Known {
        name: "SimGrid",
        find: Find::SimGrid,
        purpose: "compare: the other simulator",
        install: "install SimGrid and g++ (Debian: libsimgrid-dev)",
    },
    Known {
        name: "make",
        find: Find::Programs(&["make"]),
        purpose: "validate: compiles the program skeleton",
        install: "install make",
    },
    Known {
        name: "mpicc",
        find: Find::Programs(&["mpicc"]),
        purpose: "validate, calibrate network: compiles MPI programs; record",
        install: "install MPI (Debian: libopenmpi-dev)",
    },
    Known {
        name: "mpirun",
        find: Find::Programs(&["mpirun"]),
        purpose: "validate, calibrate network: runs MPI programs",
        install: "install MPI (Debian: openmpi-bin)",
    },
    Known {
        name: "clang",
        find: Find::Programs(&prophet_analyze::CLANG_NAMES),
        purpose: "analyze: reads source code",
        install: "install clang 14 or later (Debian: clang)",
    },
    Known {
        name: "browser",
        find: Find::Programs(&["chromium", "google-chrome", "firefox"]),
        purpose: "report, gen: shows reports and pictures",
        install: "install Chromium, Chrome or Firefox",
    },
    Known {
        name: "psql",
        find: Find::Programs(&["psql"]),
        purpose: "runs: shows the tables of a server; the server works without it",
        install: "install a PostgreSQL client (Debian: postgresql-client)",
    },
];
