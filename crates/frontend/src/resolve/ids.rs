//! Assigns ids to elements: the ids in the model, or ids computed from paths.

use std::collections::BTreeMap;

use prophet_map::Map;
use prophet_model::diagnostic::catalogue::element as rules;
use prophet_model::diagnostic::{Diagnostic, Diagnostics};
use prophet_model::model::{Element, Model};

/// Assigns an id to each element, and returns the ids by the elements' indices. Wrong ids in
/// diagrams that aren't `reached` are ignored.
///
/// A computed id depends only on the element's path. Therefore changes elsewhere in the model
/// change neither the id nor the element's random numbers.
pub(super) fn assign(model: &Model, reached: &[bool], diagnostics: &mut Diagnostics) -> Vec<i64> {
    let mut owners: Map<i64, usize> = Map::new();
    let mut ids: Vec<Option<i64>> = Vec::with_capacity(model.elements.len());
    for (index, element) in model.elements.iter().enumerate() {
        let is_reached = reached[element.diagram.0];
        let id = written_id(element, diagnostics, is_reached);
        if let Some(id) = id.filter(|_| is_reached) {
            if let Some(&first) = owners.get(&id) {
                let first = &model.elements[first].path;
                let span = element.stereotype.as_ref().map_or(element.span, |s| s.span);
                let message = format!("{} has the same id {id} as {first}", element.path);
                let diagnostic = Diagnostic::new(&rules::SAME_ID, span, message)
                    .element(&element.path)
                    .help("give it a different id, or remove the id to have one generated");
                diagnostics.push(diagnostic);
            } else {
                owners.insert(id, index);
            }
        }
        ids.push(id);
    }
    let mut taken = Runs::default();
    for id in owners.keys() {
        taken.insert(*id);
    }
    let elements = model.elements.iter();
    ids.into_iter()
        .zip(elements)
        .map(|(id, element)| id.unwrap_or_else(|| taken.take(id_of_path(&element.path))))
        .collect()
}

/// Largest computed id. It has 31 bits, which all tools can display.
const LARGEST: i64 = 0x7fff_ffff;

/// Used ids, stored as ranges without gaps. Even if thousands of elements have the same path, the
/// next free id is found in a single step.
#[derive(Default)]
struct Runs {
    ends: BTreeMap<i64, i64>,
}

impl Runs {
    /// Takes `id` or, if it is used, the next free id. After the largest id, continues at 0.
    fn take(&mut self, id: i64) -> i64 {
        let mut free = self.end_at(id).map_or(id, |last| last.saturating_add(1));
        if free > LARGEST {
            free = self.end_at(0).map_or(0, |last| last.saturating_add(1));
        }
        self.insert(free);
        free
    }

    fn end_at(&self, id: i64) -> Option<i64> {
        let (_, &last) = self.ends.range(..=id).next_back()?;
        (last >= id).then_some(last)
    }

    /// Takes a free id, and merges it with the ranges before and after it.
    fn insert(&mut self, id: i64) {
        let behind = id.checked_add(1).and_then(|next| self.ends.remove(&next));
        let last = behind.unwrap_or(id);
        match self.ends.range_mut(..id).next_back() {
            Some((_, end)) if end.checked_add(1) == Some(id) => *end = last,
            _ => {
                self.ends.insert(id, last);
            }
        }
    }
}

fn written_id(element: &Element, diagnostics: &mut Diagnostics, is_reached: bool) -> Option<i64> {
    let tag = element.stereotype.as_ref()?.tags.get("id")?;
    let id = tag.value.trim().parse().ok();
    if id.is_none() && is_reached {
        let message = format!(
            "the id of {} is not an integer: {:?}",
            element.path, tag.value
        );
        let diagnostic = Diagnostic::new(&rules::BAD_ID, tag.span, message)
            .element(&element.path)
            .help("write an integer, or remove the tag to have an id generated");
        diagnostics.push(diagnostic);
    }
    id
}

/// Computes an element's id from its path: an FNV-1a hash, folded to 31 bits.
pub fn id_of_path(path: &str) -> i64 {
    let hash = path.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    i64::from(((hash ^ (hash >> 32)) & 0x7fff_ffff) as u32)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_next_free_id_is_taken(
            written in proptest::collection::btree_set(-3..20_i64, 0..12),
            wanted in proptest::collection::vec(0..20_i64, 0..40),
        ) {
            // The ids of this case include the largest one.
            let place = |id: i64| if id > 9 { LARGEST - 19 + id } else { id };
            let mut taken: BTreeSet<i64> = written.into_iter().map(place).collect();
            let mut runs = Runs::default();
            for id in &taken {
                runs.insert(*id);
            }
            for id in wanted.into_iter().map(place) {
                let mut free = id;
                while !taken.insert(free) {
                    free = (free + 1) & LARGEST;
                }
                prop_assert_eq!(runs.take(id), free);
            }
        }
    }
}
