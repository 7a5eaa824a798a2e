//! Stand-in: replaced by the file of the same name of the runtime branch.

/// One simulated process.
#[derive(Debug)]
pub struct ProcessCtx<'a>(pub &'a ());
