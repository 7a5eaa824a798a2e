//! The ids of elements: what the model says, else one made from the element's place in it.

use crate::diagnostic::catalogue::element as rules;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::map::Map;
use crate::model::{Element, Model};

/// The id of each element, by index.
///
/// An id is made from the path alone, so that a change elsewhere in the model leaves it, and with
/// it the element's random numbers, as it is.
pub(super) fn assign(model: &Model, diagnostics: &mut Diagnostics) -> Vec<i64> {
    let mut owners: Map<i64, usize> = Map::new();
    let mut ids: Vec<Option<i64>> = Vec::with_capacity(model.elements.len());
    for (index, element) in model.elements.iter().enumerate() {
        let id = written_id(element, diagnostics);
        if let Some(id) = id {
            if let Some(&first) = owners.get(&id) {
                let first = &model.elements[first].path;
                let span = element.stereotype.as_ref().map_or(element.span, |s| s.span);
                let message = format!("{} has the id {id} of {first}", element.path);
                let diagnostic = Diagnostic::new(&rules::SAME_ID, span, message)
                    .element(&element.path)
                    .help("give it another id, or none to have one made");
                diagnostics.push(diagnostic);
            } else {
                owners.insert(id, index);
            }
        }
        ids.push(id);
    }
    ids.into_iter()
        .enumerate()
        .map(|(index, id)| {
            id.unwrap_or_else(|| {
                let mut id = id_of_path(&model.elements[index].path);
                while owners.contains_key(&id) {
                    id = (id + 1) & 0x7fff_ffff;
                }
                owners.insert(id, index);
                id
            })
        })
        .collect()
}

fn written_id(element: &Element, diagnostics: &mut Diagnostics) -> Option<i64> {
    let tag = element.stereotype.as_ref()?.tags.get("id")?;
    let id = tag.value.trim().parse().ok();
    if id.is_none() {
        let message = format!(
            "the id of {} is not an integer: {:?}",
            element.path, tag.value
        );
        let diagnostic = Diagnostic::new(&rules::BAD_ID, tag.span, message)
            .element(&element.path)
            .help("write digits, or leave the tag out to have an id made");
        diagnostics.push(diagnostic);
    }
    id
}

/// The id of what stands at that path: FNV-1a, folded to 31 bits, which all tools can show.
pub fn id_of_path(path: &str) -> i64 {
    let hash = path.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    i64::from(((hash ^ (hash >> 32)) & 0x7fff_ffff) as u32)
}
