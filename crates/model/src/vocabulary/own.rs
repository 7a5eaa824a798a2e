//! Stores custom stereotypes.

use super::tag::{Pricing, Tag};

/// Maximum number of custom stereotypes.
pub const OWN_MAX: usize = 32;

/// A stereotype declared in a vocabulary file.
///
/// It stays in memory until the program ends, like a compiler's interned names, so that its
/// [`StereotypeKind`](super::StereotypeKind) is as cheap to copy as a built-in one.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OwnStereotype {
    /// Name in the profile.
    pub name: &'static str,
    /// Number of the stereotype among the custom ones; less than [`OWN_MAX`].
    pub number: usize,
    /// Path of its type, which starts with the crate's name.
    pub runtime_type: &'static str,
    /// How the element's cost is determined.
    pub pricing: Pricing,
    /// The stereotype's own tags, in the order in which its type's `execute` takes them.
    pub tags: &'static [Tag],
}

impl OwnStereotype {
    /// Stores a stereotype until the program ends.
    pub fn keep(
        name: String,
        number: usize,
        runtime_type: String,
        pricing: Pricing,
        tags: Vec<Tag>,
    ) -> &'static Self {
        Box::leak(Box::new(Self {
            name: name.leak(),
            number,
            runtime_type: runtime_type.leak(),
            pricing,
            tags: tags.leak(),
        }))
    }
}
