//! The values of a model's parameters.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

/// The values of a model's parameters (integers, reals and booleans), with their names. They are in
/// the model's order in a program's own result, and sorted by name in a result from JSON.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(from = "BTreeMap<String, Value>")]
pub struct Parameters(Vec<(String, Value)>);

impl Parameters {
    /// Returns the names in order.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.iter().map(|(name, _)| name)
    }

    /// Returns a parameter's value.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.iter()
            .find_map(|(key, value)| (key == name).then_some(value))
    }

    /// Sets a parameter's value.
    pub fn insert(&mut self, name: &str, value: Value) {
        match self.0.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    /// Returns the names and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0.iter().map(|(name, value)| (name, value))
    }
}

impl From<BTreeMap<String, Value>> for Parameters {
    fn from(values: BTreeMap<String, Value>) -> Self {
        values.into_iter().collect()
    }
}

impl FromIterator<(String, Value)> for Parameters {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

impl IntoIterator for Parameters {
    type Item = (String, Value);
    type IntoIter = std::vec::IntoIter<(String, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl Serialize for Parameters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}
