//! Reads applied stereotypes of the profile and their tags. Recognizes the profile by its
//! namespaces, and stereotypes by their names, even if a tool has mangled them.

mod known;

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::reader::{COPIES_MAX, Reader, is_node};
use super::references::{Reference, did_you_mean};
use super::tree::{Namespace, NodeId, Tree};
use crate::diagnostic::catalogue::model as rules;
use crate::diagnostic::{Advice, Diagnostic, Remedy};
use crate::model::{Stereotype, StereotypeKind};
use crate::path::shorten;
use crate::source::Text;
pub(super) use known::Profile;

const URI: &str = "http:///schemas/prophet/1";

const NAME: &str = "prophet";

/// Prefixes of the namespaces that Enterprise Architect and crystal-facet-uml use for stereotypes
/// and tags without a profile.
const AD_HOC: [&str; 2] = [
    "http://www.sparxsystems.com/profiles/thecustomprofile/",
    "http://localhost/crystal-facet-uml/",
];

/// Maximum number of `base_…` properties to examine.
const BASES_MAX: usize = 300;

/// Returns `true` if a namespace belongs to a version of the profile, according to a segment of its
/// URI or its prefix, as in `http://www.sparxsystems.com/profiles/prophet/1.0`,
/// `…/prophet.profile.uml` or `prophet_1`.
pub(super) fn is_profile(uri: &str, prefix: &str) -> bool {
    let is_name = |segment: &str| {
        let stem = segment.split(['.', '_', '-']).next().unwrap_or_default();
        stem.eq_ignore_ascii_case(NAME)
    };
    uri.split(['/', ':', '#']).any(is_name) || is_name(prefix)
}

impl Tree<'_> {
    /// Returns the tags of a stereotype, which can be attributes or child elements.
    pub(super) fn tag_values(&self, node: NodeId) -> Vec<(String, Text)> {
        let attributes = self.attributes(node).iter();
        let attributes = attributes
            .filter(|it| it.namespace == Namespace::None)
            .map(|it| (self.raw(it.name), self.attribute_text(it.value)));
        let children = self.children(node);
        let children = children
            .filter(|&child| self.node(child).namespace != Namespace::Xmi)
            .filter_map(|child| Some((self.role(child), self.content(child)?)));
        let all = attributes.chain(children);
        let is_ours = |name: &str| !name.starts_with("base_") && !name.starts_with("__EA");
        all.filter(|(name, _)| is_ours(name))
            .map(|(name, text)| (name.to_owned(), text))
            .collect()
    }
}

impl Reader<'_, '_> {
    /// Finds the profile's namespaces in the file, and its definitions if the file contains them.
    pub(super) fn profile(&mut self) -> Profile {
        let mut profile = Profile::default();
        let mut packages = Vec::new();
        for node in self.tree.ids() {
            match self.tree.role(node) {
                "details" => self.original_name(node, &mut profile),
                _ if self.tree.kind(node) == "EPackage" => {
                    let name = self.tree.name(node).value;
                    if name.eq_ignore_ascii_case(NAME) {
                        packages.extend(self.tree.property(node, "nsURI").map(|uri| uri.value));
                    }
                }
                _ => {}
            }
        }
        let mut seen = vec![false; self.tree.uris.len()];
        profile.namespaces.clone_from(&seen);
        let is_ad_hoc = |uri: &Cow<'_, str>| AD_HOC.iter().any(|start| uri.starts_with(start));
        profile.ad_hoc = self.tree.uris.iter().map(is_ad_hoc).collect();
        for node in self.tree.ids() {
            let Namespace::Other(index) = self.tree.node(node).namespace else {
                continue;
            };
            let index = usize::from(index);
            let Some(seen) = seen.get_mut(index).filter(|seen| !**seen) else {
                continue;
            };
            *seen = true;
            let uri = self.tree.uri(node).unwrap_or_default();
            let name = self.tree.qualified_name(node);
            let prefix = name.split_once(':').map_or("", |(prefix, _)| prefix);
            let is_own = self.vocabulary.has_profile(uri);
            let is_ours = uri == URI || is_own || packages.iter().any(|it| it == uri);
            let is_drifted = uri != URI && !is_own;
            if !is_ours && !is_profile(uri, prefix) {
                continue;
            }
            if let Some(entry) = profile.namespaces.get_mut(index) {
                *entry = true;
            }
            if is_drifted {
                let shown = shorten(uri);
                let message = format!("`{shown}` is read as the profile `{NAME}`");
                let help = format!("its namespace should be `{URI}`; apply the shipped profile");
                let diagnostic =
                    Diagnostic::new(&rules::PROFILE_DRIFT, self.tree.span(node), message);
                self.diagnostics.push(diagnostic.help(help));
            }
        }
        profile
    }

    /// Finds the stereotype with this name, even if a tool has mangled the name.
    pub(super) fn kind_named(&self, name: &str) -> Option<StereotypeKind> {
        self.vocabulary.kind_named(name)
    }

    /// Stores the original name in `<details key="originalName" value="action+"/>`, inside an
    /// `eClassifiers`.
    fn original_name(&self, details: NodeId, profile: &mut Profile) {
        let key = self.tree.property(details, "key");
        if key.is_none_or(|key| key.value != "originalName") {
            return;
        }
        let ancestors = self.tree.ancestors(details);
        let mut named = ancestors
            .take(3)
            .filter(|&node| self.tree.role(node) == "eClassifiers");
        let Some(class) = named.next() else {
            return;
        };
        if let Some(original) = self.tree.property(details, "value") {
            let mangled = self.tree.name(class).value;
            profile.originals.get_or_insert(mangled, original.value);
        }
    }

    /// Reads an element of a profile, if it applies one of our stereotypes.
    pub(super) fn stereotype(&mut self, node: NodeId, namespace: u16, profile: &Profile) {
        if profile.ad_hoc.get(usize::from(namespace)) == Some(&true) {
            return self.ad_hoc(node);
        }
        let parent = self.tree.node(node).parent;
        let is_nested = parent.is_some_and(|it| profile.is_ours(self.tree.node(it).namespace));
        if !profile.is_ours(Namespace::Other(namespace)) || is_nested {
            return;
        }
        let role = self.tree.role(node);
        let kept = self.tree.property(node, "__EAStereoName");
        let names = [
            kept.as_ref().map(|text| text.value.as_str()),
            profile.originals.get(role).map(String::as_str),
            Some(role),
        ];
        let Some(kind) = names
            .into_iter()
            .flatten()
            .find_map(|it| self.kind_named(it))
        else {
            let message = format!("the profile has no stereotype `{}`", shorten(role));
            let kinds = self.vocabulary.kinds();
            let all: Vec<&str> = kinds.map(StereotypeKind::name).collect();
            let help = renamed(role, all.iter().copied())
                .unwrap_or_else(|| format!("the stereotypes are {}", all.join(", ")).into());
            let span = self.tree.span(node);
            let diagnostic = Diagnostic::new(&rules::UNKNOWN_STEREOTYPE, span, message);
            self.diagnostics.push(diagnostic.help(help));
            return;
        };
        let stereotype = Stereotype {
            kind,
            tags: self.tags(kind, self.tree.tag_values(node)),
            span: self.tree.span(node),
            is_implied: false,
        };
        self.bind(node, &stereotype);
    }

    /// Reads a stereotype or tag without a profile. It is ours only on activities and their nodes,
    /// because words like `single` can mean anything elsewhere.
    fn ad_hoc(&mut self, node: NodeId) {
        let kept = self.tree.property(node, "__EAStereoName");
        let role = kept.map_or_else(|| self.tree.role(node).to_owned(), |text| text.value);
        let bases = self.bases(node).into_iter().take(COPIES_MAX);
        let targets = bases.filter_map(|reference| reference.target);
        let targets: Vec<NodeId> = targets.filter(|&it| self.can_be_stereotyped(it)).collect();
        if let Some(kind) = self.kind_named(&role) {
            let stereotype = Stereotype {
                kind,
                tags: self.tags(kind, self.tree.tag_values(node)),
                span: self.tree.span(node),
                is_implied: false,
            };
            for target in targets {
                self.apply(target, &stereotype);
            }
        } else if let Some(value) = self.tree.property(node, &role) {
            // Tools write such a tag like a stereotype that has a tag with the same name.
            for target in targets {
                let tags = self.loose_tags.get_or_default(target);
                tags.push((role.clone(), value.clone()));
            }
        }
    }

    pub(super) fn attach_loose_tags(&mut self) {
        for (target, tags) in std::mem::take(&mut self.loose_tags) {
            let Some(mut stereotype) = self.stereotypes.remove(&target) else {
                continue;
            };
            for (name, text) in self.tags(stereotype.kind, tags) {
                stereotype.tags.entry(name).or_insert(text);
            }
            self.stereotypes.insert(target, stereotype);
        }
    }

    /// Returns `true` for activities and their nodes.
    pub(super) fn can_be_stereotyped(&self, node: NodeId) -> bool {
        let kind = self.tree.kind(node);
        kind == "Activity" || is_node(kind)
    }

    /// Returns the references in the `base_…` properties of a stereotype.
    pub(super) fn bases(&self, node: NodeId) -> Vec<Reference> {
        let attributes = self.tree.attributes(node).iter();
        let attributes = attributes
            .filter(|it| it.namespace == Namespace::None)
            .map(|it| self.tree.raw(it.name));
        let children = self.tree.children(node).map(|child| self.tree.role(child));
        let mut bases: Vec<&str> = attributes
            .chain(children)
            .filter(|name| name.starts_with("base_"))
            .collect();
        bases.sort_unstable();
        bases.dedup();
        // A stereotype extends only a few of UML's hundred or so metaclasses.
        bases.truncate(BASES_MAX);
        bases
            .into_iter()
            .flat_map(|base| self.tree.references(node, base))
            .collect()
    }

    fn bind(&mut self, node: NodeId, stereotype: &Stereotype) {
        let name = stereotype.kind.name();
        let references = self.bases(node);
        if references.is_empty() {
            let message = format!("`{name}` is not applied to any element");
            let help = "remove it, or apply it again";
            let rule = &rules::UNBOUND_STEREOTYPE;
            self.diagnostics
                .push(Diagnostic::new(rule, stereotype.span, message).help(help));
        }
        if references.len() > COPIES_MAX {
            let message =
                format!("one application of `{name}` covers more than {COPIES_MAX} elements");
            let help = "only the first elements count; apply it to each element separately";
            let rule = &rules::IDLE_STEREOTYPE;
            self.diagnostics
                .push(Diagnostic::new(rule, stereotype.span, message).help(help));
        }
        for reference in references.into_iter().take(COPIES_MAX) {
            if let Some(target) = self.resolve(&reference, "") {
                self.apply(target, stereotype);
            }
        }
    }

    pub(super) fn apply(&mut self, target: NodeId, stereotype: &Stereotype) {
        let Some(other) = self.stereotypes.get(&target) else {
            self.stereotypes.insert(target, stereotype.clone());
            return;
        };
        if other.span == stereotype.span {
            // A stereotype can refer to an element twice, as `base_Action` and as `base_Element`.
            return;
        }
        let other = other.clone();
        self.report_second_stereotype(target, &other, stereotype);
    }

    pub(super) fn report_second_stereotype(
        &mut self,
        target: NodeId,
        other: &Stereotype,
        stereotype: &Stereotype,
    ) {
        let (name, other) = (stereotype.kind.name(), other.kind.name());
        let what = self.tree.describe(target);
        let message = format!("{what} has two stereotypes, `{other}` and `{name}`");
        let help = "remove one of them";
        let rule = &rules::SEVERAL_STEREOTYPES;
        self.diagnostics
            .push(Diagnostic::new(rule, stereotype.span, message).help(help));
    }

    /// Collects the tags by name. Reports and drops tags that neither the stereotype nor a rule
    /// file declares, so that targets never see them.
    pub(super) fn tags(
        &mut self,
        kind: StereotypeKind,
        all: Vec<(String, Text)>,
    ) -> BTreeMap<String, Text> {
        let mut tags = BTreeMap::new();
        for (name, text) in all {
            if text.value.trim().is_empty() {
                continue;
            }
            let own = self.vocabulary;
            let known = || own.tags_of(kind);
            let shown = shorten(&name);
            let problem = if !known().any(|tag| tag == name) {
                let message = format!("`{}` has no tag `{shown}`", kind.name());
                let all =
                    || format!("its tags are {}", known().collect::<Vec<_>>().join(", ")).into();
                Some((message, renamed(&name, known()).unwrap_or_else(all)))
            } else if tags.contains_key(&name) {
                let message = format!("the tag `{shown}` is given twice; the first counts");
                Some((message, "remove one of them".into()))
            } else {
                None
            };
            if let Some((message, help)) = problem {
                let diagnostic = Diagnostic::new(&rules::UNKNOWN_TAG, text.span, message);
                self.diagnostics.push(diagnostic.help(help));
            } else {
                tags.insert(name, text.trimmed(self.tree.source));
            }
        }
        tags
    }
}

/// Suggests a similar name for an XML attribute or element.
fn renamed<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> Option<Advice> {
    let help = did_you_mean(wanted, candidates)?;
    Some(Advice::from(help).mended_by(Remedy::Name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_profile_under_other_namespaces() {
        assert!(is_profile(
            "http://www.sparxsystems.com/profiles/prophet/1.0",
            "p"
        ));
        assert!(is_profile(
            "http://www.magicdraw.com/schemas/Prophet.xmi",
            "p"
        ));
        assert!(is_profile(
            "http:///schemas/prophet/_ATry4EkZEee2K7NDkbm2lQ/3",
            "prophet_1"
        ));
        assert!(is_profile("", "prophet"));
        assert!(!is_profile(
            "http://www.sparxsystems.com/profiles/thecustomprofile/1.0",
            "t"
        ));
        assert!(!is_profile("http://example.org/prophetess", "x"));
    }
}
