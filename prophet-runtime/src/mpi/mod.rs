//! What ranks share, and what becomes of their messages.

pub(crate) mod collectives;
pub(crate) mod contents;
pub(crate) mod scaled;
pub(crate) mod transfer;
