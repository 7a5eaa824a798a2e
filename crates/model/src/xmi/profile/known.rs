//! Stores what a file says about the profile.

use crate::xmi::tree::Namespace;
use prophet_map::Map;

#[derive(Debug, Default)]
pub(in crate::xmi) struct Profile {
    /// For each namespace of the file, whether it belongs to the profile.
    pub(super) namespaces: Vec<bool>,
    /// For each namespace, whether tools use it for stereotypes without a profile. These are ours
    /// if their names are.
    pub(super) ad_hoc: Vec<bool>,
    /// Original names of stereotypes by their mangled names, from profiles embedded in the file.
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
