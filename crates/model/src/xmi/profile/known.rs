//! Records what a file says about the profile.

use crate::xmi::tree::Namespace;
use prophet_map::Map;

#[derive(Debug, Default)]
pub(in crate::xmi) struct Profile {
    /// Whether each of the file's namespaces is one of the profile's.
    pub(super) namespaces: Vec<bool>,
    /// Whether each namespace is for stereotypes without a profile, which are ours if they have our
    /// names.
    pub(super) ad_hoc: Vec<bool>,
    /// Original names of stereotypes by mangled name, from embedded profiles.
    pub(super) originals: Map<String, String>,
}

impl Profile {
    pub(in crate::xmi) fn is_ours(&self, namespace: Namespace) -> bool {
        match namespace {
            Namespace::Other(index) => self.namespaces.get(usize::from(index)) == Some(&true),
            _ => false,
        }
    }
}
