//! The state of the whole studio.

use prophet_codegen::workspace::Workspace;

use crate::gate::Gate;
use crate::models::Models;

/// State that all requests share.
#[derive(Debug)]
pub(crate) struct Studio {
    pub(crate) gate: Gate,
    pub(crate) models: Models,
    /// The places of the runtime, which exported crates need.
    pub(crate) workspace: Option<Workspace>,
}
