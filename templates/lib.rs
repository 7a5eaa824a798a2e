//! Provides the text files of generated programs as constants: everything in this folder, so that a
//! crate can include it.
//!
//! | module | provides |
//! |---|---|
//! | `rust` | layouts of a model's crate |
//! | `c` | the cost language in C, shared by the targets in C and C++ |
//! | `cpp` | the header of the target `cpp` |
//! | `mpi_c` | the skeleton of the target `mpi-c` |
//! | `simgrid` | the headers of the target `simgrid` |
//! | `xml` | schemas of the XML formats |

/// Declares constants for the files of a folder.
macro_rules! texts {
    ($folder:literal: $($(#[$about:meta])* $name:ident = $file:literal;)+) => {
        $($(#[$about])* pub const $name: &str = include_str!(concat!($folder, "/", $file));)+
    };
}

/// Lists the names and texts of files that are written unchanged.
macro_rules! files {
    ($folder:literal: $($file:literal)+) => {
        &[$(($file, include_str!(concat!($folder, "/", $file)))),+]
    };
}

/// Names and texts of files that are written next to a program unchanged.
pub type Files = &'static [(&'static str, &'static str)];

/// Provides the layouts of a model's crate, for Tera.
pub mod rust {
    texts! { "rust":
        /// `Cargo.toml`.
        MANIFEST = "Cargo.toml.tera";
        /// `src/lib.rs`, up to the program.
        HEAD = "lib.rs.tera";
        /// The program of `src/lib.rs`.
        PROGRAM = "program.rs.tera";
        /// `src/drawings.rs`.
        DRAWINGS = "drawings.rs.tera";
        /// `src/main.rs`.
        MAIN = "main.rs.tera";
    }
}

/// Provides the cost language in C.
pub mod c {
    use super::Files;

    /// Headers that the targets in C and C++ share.
    pub const FILES: Files = files!("c": "prophet_cost.h" "prophet_prices.h");
}

/// Provides the files of the target `cpp`.
pub mod cpp {
    use super::Files;

    /// The header next to the program.
    pub const FILES: Files = files!("cpp": "prophet.h");
}

/// Provides the files of the target `mpi-c`.
pub mod mpi_c {
    use super::Files;

    texts! { "mpi-c":
        /// `Makefile`, for Tera.
        MAKEFILE = "Makefile.tera";
        /// `main.c`, for Tera.
        MAIN = "main.c.tera";
    }

    /// Files that all skeletons share.
    pub const FILES: Files = files!("mpi-c":
        "prophet_collective.c" "prophet_message.c" "prophet_mpi.h" "prophet_options.c"
        "prophet_result.c" "prophet_run.c" "prophet_state.h" "prophet_time.c");
}

/// Provides the files of the target `simgrid`.
pub mod simgrid {
    use super::Files;

    /// Headers next to the program.
    pub const FILES: Files = files!("simgrid":
        "world.hpp" "messages.hpp" "collectives.hpp" "threads.hpp" "command_line.hpp" "run.hpp");
}

/// Provides the schemas of the XML formats.
pub mod xml {
    texts! { "xml":
        MACHINE = "machine.xsd";
        MODEL = "prophet.xsd";
        /// Networks of traces in PTI's format.
        PTI_NETWORK = "pti-network.xsd";
        /// Traces in PTI's format.
        PTI_TRACE = "pti-trace.xsd";
    }
}
