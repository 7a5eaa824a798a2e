//! Stand-in: replaced by the file of the same name of the runtime branch.

/// What stopped a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure;

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("stopped")
    }
}
