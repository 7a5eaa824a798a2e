//! Stereotypes of the user's own: their words, and the crates that have their types.

use std::path::PathBuf;

use super::{Pricing, Tag, Word};
use crate::model::StereotypeKind;

/// How many stereotypes users can add.
pub const OWN_MAX: usize = 32;

/// A stereotype that a vocabulary file declares.
///
/// Such are kept until the program ends, as a compiler keeps names, so that a
/// [`StereotypeKind`] is as cheap to hand around as one of the profile.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OwnStereotype {
    /// Its name in the profile.
    pub name: &'static str,
    /// Its number among the user's own, below [`OWN_MAX`].
    pub number: usize,
    /// The path of its type, with the crate in front.
    pub runtime_type: &'static str,
    /// Who prices it.
    pub pricing: Pricing,
    /// Its own tags, in the order of the arguments of its type's `execute`.
    pub tags: &'static [Tag],
}

impl OwnStereotype {
    /// Keeps a stereotype until the program ends.
    pub(crate) fn keep(
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

    pub(super) fn word(&'static self) -> Word {
        Word {
            stereotype: StereotypeKind::Own(self),
            runtime_type: self.runtime_type,
            pricing: self.pricing,
            tags: self.tags,
            tags_to_come: &[],
        }
    }
}

/// A crate whose types stereotypes stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnCrate {
    /// Its name, as cargo has it.
    pub name: String,
    /// Its folder.
    pub path: PathBuf,
}

/// The user's additions to the vocabulary.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// The files that declare it.
    pub files: Vec<PathBuf>,
    /// The namespaces of the profiles that have its stereotypes.
    pub profiles: Vec<String>,
    /// The crates that have its types.
    pub crates: Vec<OwnCrate>,
    /// Its stereotypes.
    pub stereotypes: Vec<&'static OwnStereotype>,
}

impl Vocabulary {
    /// No additions.
    pub const NONE: &'static Self = &Self {
        files: Vec::new(),
        profiles: Vec::new(),
        crates: Vec::new(),
        stereotypes: Vec::new(),
    };

    /// All stereotypes: those of the profile, then the user's own.
    pub fn kinds(&self) -> impl Iterator<Item = StereotypeKind> {
        let own = self.stereotypes.iter().copied().map(StereotypeKind::Own);
        StereotypeKind::ALL.into_iter().chain(own)
    }

    /// The stereotype whose name has these letters and digits, whatever else a tool made of it.
    pub(crate) fn kind_named(&self, name: &str) -> Option<StereotypeKind> {
        let wanted = plain(name);
        self.kinds().find(|kind| plain(kind.name()) == wanted)
    }

    /// Whether a namespace is that of one of its profiles.
    pub(crate) fn has_profile(&self, uri: &str) -> bool {
        self.profiles.iter().any(|profile| profile == uri)
    }
}

/// The letters and digits of a name, which is what all tools keep of it.
fn plain(name: &str) -> String {
    let kept = name.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_stereotypes_by_their_letters_and_digits() {
        let kind_named = |name| Vocabulary::NONE.kind_named(name);
        for name in ["action+", "action", "action_", "Action_plus", "ACTION__"] {
            let expected = (name != "Action_plus").then_some(StereotypeKind::ActionPlus);
            assert_eq!(kind_named(name), expected, "{name}");
        }
        assert_eq!(kind_named(""), None);
        for kind in StereotypeKind::ALL {
            assert_eq!(kind_named(kind.name()), Some(kind));
        }
    }

    #[test]
    fn knows_the_users_own_stereotypes_too() {
        let pricing = Pricing::Required;
        let own = OwnStereotype::keep("check point+".into(), 0, "a::B".into(), pricing, vec![]);
        let vocabulary = Vocabulary {
            stereotypes: vec![own],
            ..Vocabulary::default()
        };
        let found = vocabulary.kind_named("Check_Point_");
        assert_eq!(found, Some(StereotypeKind::Own(own)));
        let shipped = vocabulary.kind_named("bsend");
        assert_eq!(shipped, Some(StereotypeKind::BSend));
    }
}
