//! Functions of diagrams.

#[derive(Debug, serde::Serialize)]
pub(super) struct Function {
    /// Comment above it.
    pub(super) comment: String,
    /// Head of the function, without `;`.
    pub(super) head: String,
    /// Lines between the braces.
    pub(super) body: String,
}

/// Stream that draws the random numbers of an element, by its constant.
pub(super) fn stream_of(constant: &str) -> String {
    format!("prophet_stream_of(&{constant})")
}
