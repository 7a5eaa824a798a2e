//! Writes the program as `SimGrid` S4U actors in C++, to compare predictions.
//!
//! Each process is an actor on the host of its node, and so is each further thread. The headers
//! (`templates/simgrid`) define what actors do for each element. Everything that depends on the
//! model is in a single file.

mod execute;
mod handler;
mod limits;
mod names;
mod region;

use std::path::PathBuf;

use crate::family::{self, FamilyWriter};
use handler::Actors;
use prophet_codegen::diagnostic::Diagnostics;
use prophet_codegen::emit::Listing;
use prophet_codegen::navigator::ProgramNavigator;
use prophet_codegen::output::MARKER;
use prophet_codegen::target::text::c_comment;
use prophet_codegen::target::{Files, Input, Target};
use prophet_codegen::traverser::{DepthFirst, Traverser};

/// The target that writes the program as S4U actors.
#[derive(Debug, Clone, Copy)]
pub struct SimGrid;

/// Name of the file with the code for the model. It is the only file to compile.
pub const PROGRAM: &str = "program.cpp";

/// Flags for compiling the program, without file names.
pub const COMPILER_FLAGS: [&str; 4] = ["-std=c++17", "-O2", "-fwrapv", "-ffp-contract=off"];

impl Target for SimGrid {
    fn name(&self) -> &'static str {
        "simgrid"
    }

    fn about(&self) -> &'static str {
        "actors of SimGrid's S4U in C++"
    }

    fn check(&self, input: &Input<'_>, problems: &mut Diagnostics) {
        family::refuse_flows(self.name(), input.program, problems);
        limits::check(input.program, problems);
    }

    fn files(&self, input: &Input<'_>) -> Files {
        let mut writer = FamilyWriter::new(Actors::new(input.program), Listing::default());
        DepthFirst.traverse(&mut ProgramNavigator::new(input.program), &mut writer);
        let from = c_comment(input.model_file);
        let flags = COMPILER_FLAGS.join(" ");
        let program = format!(
            "// {MARKER} from {from}. Do not edit.\n\
             // Compile with `g++ {flags} {PROGRAM} -lsimgrid -o program`.\n\n{}",
            writer.language.finish()
        );
        let headers = prophet_templates::c::FILES.iter();
        let headers = headers.chain(prophet_templates::simgrid::FILES);
        let headers = headers.map(|(name, text)| {
            let text = format!("// {MARKER}. Do not edit.\n\n{text}");
            (PathBuf::from(name), text.into())
        });
        let program = (PathBuf::from(PROGRAM), program.into());
        headers.chain([program]).collect()
    }
}
