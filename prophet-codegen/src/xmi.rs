//! Reading: XMI as UML tools write it, to a [`Model`].

use std::path::Path;

use crate::diagnostic::Diagnostics;
use crate::model::Model;
use crate::source::Source;

/// Reads the text of a file: UTF-8, or what its byte order mark or XML declaration says.
///
/// # Errors
///
/// If the file cannot be read, or its text is in no encoding that we know; the message says which.
pub fn load(_path: &Path) -> Result<Source, String> {
    unimplemented!()
}

/// Reads a model. `main` names the main activity, where the user did.
///
/// Reports every problem and returns what could be read; `None` where there is no activity at all.
pub fn read(
    _source: &Source,
    _main: Option<&str>,
    _diagnostics: &mut Diagnostics,
) -> Option<Model> {
    unimplemented!()
}
