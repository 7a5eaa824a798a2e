//! Passes each edit to the module for its kind.

use prophet_text::Problem;

use crate::edit::Edit;
use crate::work::Work;
use crate::{declaration, drawing, graph, removal, stereotype, text};

/// Makes edits of the same kind. They must change different places.
pub(crate) fn make(work: &mut Work<'_>, edits: &[Edit]) -> Result<(), Problem> {
    let Some(first) = edits.first() else {
        return Ok(());
    };
    match first {
        Edit::Rename { .. }
        | Edit::Tag { .. }
        | Edit::Body { .. }
        | Edit::Comment { .. }
        | Edit::Calls { .. } => change_elements(work, edits),
        Edit::Guard { flow, text } => text::guard(work, flow, text.as_deref()),
        Edit::Stereotype { element, name } => stereotype::set(work, element, name.as_deref()),
        Edit::AddNode { .. } => graph::add_nodes(work, edits),
        Edit::AddFlow { .. } => graph::add_flows(work, edits),
        Edit::Reconnect {
            flow,
            source,
            target,
        } => graph::reconnect(work, flow, [source, target]),
        Edit::Remove { elements } => removal::remove(work, elements),
        Edit::Move { .. } => {
            let moves: Vec<_> = edits.iter().filter_map(Edit::as_move).collect();
            drawing::place(work, &moves)
        }
        Edit::Points { .. } => drawing::draw(work, edits),
        Edit::AddActivity { .. } => declaration::add_activities(work, edits),
        Edit::Variable { id: Some(id), .. } => declaration::change_variable(work, id, first),
        Edit::Variable { id: None, .. } => declaration::add_variables(work, edits),
        Edit::Function { id: Some(id), .. } => declaration::change_function(work, id, first),
        Edit::Function { id: None, .. } => declaration::add_functions(work, edits),
    }
}

fn change_elements(work: &mut Work<'_>, edits: &[Edit]) -> Result<(), Problem> {
    let mut ids = Vec::new();
    for edit in edits {
        let called = match edit {
            Edit::Calls { diagram, .. } => diagram.as_ref(),
            _ => None,
        };
        let called = called.map(|it| work.id(it)).transpose()?;
        ids.push((work.id(edit.element().unwrap_or(""))?, called));
    }
    work.patch(|tree, profiles| {
        let mut patches = Vec::new();
        for (edit, (id, called)) in edits.iter().zip(&ids) {
            patches.extend(match edit {
                Edit::Rename { name, .. } => text::rename(tree, id, name),
                Edit::Tag { tag, value, .. } => {
                    text::tag((tree, profiles), id, tag, value.as_deref())
                }
                Edit::Body { text, .. } => text::body(tree, id, text.as_deref()),
                Edit::Comment { text, .. } => text::comment(tree, id, text.as_deref()),
                _ => graph::calls(tree, id, called.as_deref()),
            }?);
        }
        Ok((patches, ()))
    })
}
