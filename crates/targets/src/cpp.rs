//! Writes the C++ representation of a program, as defined in the papers: its globals, its cost
//! functions, and `Process::program()`. Each diagram's content is inlined where the diagram is
//! executed.
//!
//! The code compiles with `prophet.h`, which declares the elements' classes and is written to the
//! same folder. Two constructs aren't in the papers: the content of thread regions is passed as
//! functions, and unstructured flows use `goto`.

mod dialect;
mod execute;
mod handler;
mod inlining;

use std::path::PathBuf;

use crate::family::{self, FamilyWriter};
use handler::Representation;
use inlining::{Inlining, Shared};
use prophet_codegen::diagnostic::Diagnostics;
use prophet_codegen::emit::Listing;
use prophet_codegen::output::MARKER;
use prophet_codegen::target::text::{c_comment, shell_word};
use prophet_codegen::target::{Files, Input, Target};
use prophet_codegen::traverser::{DepthFirst, Traverser};

#[derive(Debug, Clone, Copy)]
pub struct Cpp;

impl Target for Cpp {
    fn name(&self) -> &'static str {
        "cpp"
    }

    fn about(&self) -> &'static str {
        "the papers' C++ representation of the model"
    }

    fn check(&self, input: &Input<'_>, problems: &mut Diagnostics) {
        family::refuse_flows(self.name(), input.program, problems);
        family::refuse_accelerators(input.program, self.name(), problems);
    }

    fn files(&self, input: &Input<'_>) -> Files {
        let shared = Shared::new(input.program);
        let representation = Representation::new(input.program, &shared);
        let mut writer = FamilyWriter::new(representation, Listing::new(1));
        DepthFirst.traverse(&mut Inlining::new(input.program, &shared), &mut writer);
        let (model, word) = (c_comment(input.model_file), shell_word(input.model_file));
        let text = format!(
            "// {MARKER} from {model}. Do not edit.\n\
             // Regenerate with `cargo xtask gen {} --target cpp`.\n\n\
             #include \"prophet.h\"\n\n{}",
            c_comment(&word),
            writer.language.finish(&writer.lines)
        );
        let program = (PathBuf::from(format!("{}.cpp", input.name)), text.into());
        let headers = prophet_templates::cpp::FILES.iter();
        let headers = headers.map(|(name, text)| (PathBuf::from(name), (*text).into()));
        headers.chain([program]).collect()
    }
}
