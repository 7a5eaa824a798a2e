//! Resolves names in CWL, and follows the values that flow between steps under these names.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::super::yaml::{Node, Value};

/// A value, the tasks that produce it, and its elements if it is an array of known length.
#[derive(Debug, Clone)]
pub(super) struct Flow {
    pub(super) tasks: Rc<[u32]>,
    pub(super) elements: Option<Rc<[Flow]>>,
}

impl Flow {
    pub(super) fn given() -> Self {
        Self {
            tasks: Rc::new([]),
            elements: None,
        }
    }

    pub(super) fn of_input(node: &Node) -> Self {
        let Value::List(items) = &node.value else {
            return Self::given();
        };
        let items = items.iter().map(|it| Self::of_input(it));
        Self {
            tasks: Rc::new([]),
            elements: Some(items.collect()),
        }
    }

    pub(super) fn array(elements: Vec<Self>) -> Self {
        let tasks: BTreeSet<u32> = elements
            .iter()
            .flat_map(|it| it.tasks.iter().copied())
            .collect();
        Self {
            tasks: tasks.into_iter().collect(),
            elements: Some(elements.into()),
        }
    }
}

/// Returns the last part of an id such as `#main/step/port`.
pub(super) fn own_name(id: &str) -> &str {
    id.rsplit(['/', '#']).next().unwrap_or(id)
}

/// Returns an id without the file and the workflow that contain it.
pub(super) fn local<'a>(id: &'a str, workflow: &str) -> &'a str {
    let Some((_, id)) = id.split_once('#') else {
        return id;
    };
    let inside = || id.strip_prefix(workflow)?.strip_prefix('/');
    inside().unwrap_or(id)
}

/// Returns one text or a list of texts as a list.
pub(super) fn texts(node: &Node) -> Vec<&str> {
    match &node.value {
        Value::Scalar(text) => vec![text],
        _ => node.items().iter().filter_map(|it| it.text()).collect(),
    }
}

/// Returns the entries of a map or a list. The items of a list are ids, or have an `id`.
pub(super) fn named(node: Option<&Rc<Node>>) -> Vec<(&str, &Node)> {
    let Some(node) = node else {
        return Vec::new();
    };
    match &node.value {
        Value::Map(entries) => entries.iter().map(|it| (&*it.0, &*it.1)).collect(),
        _ => (node.items().iter())
            .filter_map(|it| Some((it.text().or_else(|| it.text_of("id"))?, &**it)))
            .collect(),
    }
}
