//! Stores custom stereotypes.

use super::tag::{Pricing, Tag};

/// Maximum number of custom stereotypes.
pub const OWN_MAX: usize = 32;

/// A stereotype declared in a vocabulary file.
///
/// It stays in memory until the program ends, so that its [`StereotypeKind`](super::StereotypeKind)
/// is as cheap to copy as a built-in one.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OwnStereotype {
    /// Name in the profile.
    pub name: &'static str,
    /// Number among the custom stereotypes, below [`OWN_MAX`].
    pub number: usize,
    /// Path of the stereotype's type, starting with the crate's name.
    pub runtime_type: &'static str,
    /// What determines the element's cost.
    pub pricing: Pricing,
    /// Tags of this stereotype only, in the order of the parameters of its type's `execute`.
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
