//! The cost language in C.

use crate::family::Idiom;
use prophet_frontend::lang::ir::System;

/// The cost language where the support is at hand.
pub(super) static IDIOM: Idiom = Idiom {
    leading_parameters: &[],
    leading_arguments: &[],
    no_parameters: "void",
    turn: "prophet_turn();",
    system: |system| match system {
        System::Uid => "prophet_uid()".to_owned(),
        System::Tid => "prophet_tid()".to_owned(),
        System::Any => "PROPHET_ANY".to_owned(),
        System::ProcNull => "PROPHET_PROC_NULL".to_owned(),
        fact => format!("process.{}", fact.name().to_ascii_lowercase()),
    },
};
