//! Files that stand beside a target's program, the same for all models.

/// Files of `templates`, by folder, with their names.
macro_rules! templates {
    ($($folder:literal: $($name:literal)+;)+) => {
        &[$($((
            $name,
            include_str!(concat!("../../../templates/", $folder, "/", $name)),
        ),)+)+]
    };
}

/// Names and texts of files.
type Templates = &'static [(&'static str, &'static str)];

pub(crate) const CPP: Templates = templates! {
    "cpp": "prophet.h";
};

pub(crate) const MPI_C: Templates = templates! {
    "c": "prophet_cost.h" "prophet_prices.h";
    "mpi-c": "prophet_collective.c" "prophet_message.c" "prophet_mpi.h" "prophet_options.c"
        "prophet_result.c" "prophet_run.c" "prophet_state.h" "prophet_time.c";
};

pub(crate) const SIMGRID: Templates = templates! {
    "c": "prophet_cost.h" "prophet_prices.h";
    "simgrid": "world.hpp" "messages.hpp" "collectives.hpp" "threads.hpp" "command_line.hpp"
        "run.hpp";
};
