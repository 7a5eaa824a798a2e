//! Generates files from a model file.

#[cfg(feature = "generation")]
mod request;

use std::path::Path;

use crate::ident;
#[cfg(feature = "generation")]
pub use request::{
    GenerateFailure, Generated, Request, Written, files, generate, generate_checked,
};

/// Returns the name of the crate that is generated for the model file `model`.
pub fn crate_name(model: &Path) -> String {
    let stem = model.file_stem().unwrap_or_default().to_string_lossy();
    // A model in plain XML has a file name such as `model.prophet.xml`.
    ident::crate_name(stem.strip_suffix(".prophet").unwrap_or(&stem))
}
