//! Runs `cargo xtask compare`.

use std::ffi::OsString;
use std::process::ExitCode;

use prophet_codegen::workspace::Workspace;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    prophet_crosscheck::command::main("cargo xtask compare", &arguments, || {
        let manifest = Workspace::called_for();
        let manifest = manifest.ok_or("run this tool as `cargo xtask compare`")?;
        Workspace::find(&manifest)
    })
}
