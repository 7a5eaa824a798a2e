//! User-defined stereotypes.

use super::tag::{Pricing, Tag};

/// Maximum number of stereotypes that users can add.
pub const OWN_MAX: usize = 32;

/// A stereotype that a vocabulary file declares.
///
/// It is kept until the program ends, as a compiler keeps names, so that its
/// [`StereotypeKind`](super::StereotypeKind) is as cheap to pass around as one of the profile.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OwnStereotype {
    /// Name in the profile.
    pub name: &'static str,
    /// Number among the user-defined stereotypes, below [`OWN_MAX`].
    pub number: usize,
    /// Path of its type, beginning with the crate.
    pub runtime_type: &'static str,
    /// Source of its price.
    pub pricing: Pricing,
    /// Tags of the stereotype alone, in the order of the arguments of its type's `execute`.
    pub tags: &'static [Tag],
}

impl OwnStereotype {
    /// Keeps a stereotype until the program ends.
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
