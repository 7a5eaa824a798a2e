//! Stores what a user adds to the vocabulary: stereotypes, and the crates that implement them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::{OwnStereotype, StereotypeKind};

/// A crate that implements custom stereotypes or hardware models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnCrate {
    /// Name of the crate, as in its `Cargo.toml`.
    pub name: String,
    pub path: PathBuf,
    /// Path of the constant that lists the crate's hardware models, starting with the crate's name;
    /// `None` if it has none.
    pub models: Option<String>,
}

/// What a user adds to the vocabulary.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// The files with the additions.
    pub files: Vec<PathBuf>,
    /// Namespaces of the profiles with the custom stereotypes.
    pub profiles: Vec<String>,
    /// Crates that implement custom stereotypes or hardware models.
    pub crates: Vec<OwnCrate>,
    pub stereotypes: Vec<&'static OwnStereotype>,
    /// Additional tags that rule files declare, each with the name of its stereotype.
    pub tags: BTreeSet<(&'static str, String)>,
}

impl Vocabulary {
    /// A vocabulary without additions.
    pub const NONE: &'static Self = &Self {
        files: Vec::new(),
        profiles: Vec::new(),
        crates: Vec::new(),
        stereotypes: Vec::new(),
        tags: BTreeSet::new(),
    };

    /// Returns `true` if a crate has hardware models.
    pub fn has_hardware(&self) -> bool {
        self.crates.iter().any(|own| own.models.is_some())
    }

    /// Iterates over all stereotypes, the profile's first.
    pub fn kinds(&self) -> impl Iterator<Item = StereotypeKind> {
        let own = self.stereotypes.iter().copied().map(StereotypeKind::Own);
        StereotypeKind::ALL.into_iter().chain(own)
    }

    /// Finds a stereotype by name, ignoring case and everything except letters and digits, because
    /// tools change other characters.
    pub fn kind_named(&self, name: &str) -> Option<StereotypeKind> {
        let wanted = plain(name);
        self.kinds().find(|kind| plain(kind.name()) == wanted)
    }

    /// Iterates over the tags of a stereotype, including tags that rule files declare.
    pub fn tags_of<'a>(&'a self, kind: StereotypeKind) -> impl Iterator<Item = &'a str> {
        let shorter = |tag: &'static str| -> &'a str { tag };
        let declared = self.tags.iter().filter(move |it| it.0 == kind.name());
        let declared = declared.map(|it| it.1.as_str());
        super::tags(kind).map(shorter).chain(declared)
    }

    /// Returns `true` if the namespace `uri` is one of the vocabulary's profiles.
    pub fn has_profile(&self, uri: &str) -> bool {
        self.profiles.iter().any(|profile| profile == uri)
    }
}

/// Returns the letters and digits of a name in lower case, because not all tools keep other
/// characters.
fn plain(name: &str) -> String {
    let kept = name.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::Pricing;

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
