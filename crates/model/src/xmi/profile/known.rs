//! Records what a file says about the profile.

use crate::xmi::tree::Namespace;
use prophet_map::Map;

#[derive(Debug, Default)]
pub(in crate::xmi) struct Profile {
    /// For each namespace of the file, whether it is the profile's.
    pub(super) namespaces: Vec<bool>,
    /// For each namespace, whether it is meant for stereotypes without a profile; those are ours if
    /// their names are.
    pub(super) ad_hoc: Vec<bool>,
    /// Original names of stereotypes, by mangled name, as found in embedded profiles.
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
