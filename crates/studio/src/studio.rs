//! Manages the state of the studio as a whole.

use prophet_codegen::workspace::Workspace;

use crate::gate::Gate;
use crate::models::Models;

#[derive(Debug)]
pub(crate) struct Studio {
    pub(crate) gate: Gate,
    pub(crate) models: Models,
    /// Where the runtime is, for exported crates.
    pub(crate) workspace: Option<Workspace>,
}
