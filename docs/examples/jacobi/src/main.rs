//! Predicts how long Jacobi's method runs on a machine.

fn main() -> std::process::ExitCode {
    prophet_runtime::main(&jacobi_by_hand::MODEL, jacobi_by_hand::program)
}
