//! Builds element paths for messages, such as `Model::Main::A1`.

use std::borrow::Cow;

pub(crate) const NAME_MAX: usize = 60;

/// Maximum length of a path in bytes. Only the end of a longer path is shown, because with deep
/// nesting and long names, the paths of all elements could take up far more memory than the file.
const PATH_MAX: usize = 300;

/// Cuts off a name after `NAME_MAX` characters.
pub fn shorten(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(NAME_MAX) {
        None => Cow::Borrowed(name),
        Some((end, _)) => Cow::Owned(format!("{}…", &name[..end])),
    }
}

/// Prepares a name from an archive for a message: short, and without control characters.
pub(crate) fn printable(name: &str) -> String {
    shorten(name).escape_debug().to_string()
}

/// Returns the path of the element `name` in `owner`.
pub fn join(owner: &str, name: &str) -> String {
    let name = shorten(name);
    if owner.is_empty() {
        return name.into_owned();
    }
    if owner.len() <= PATH_MAX {
        return format!("{owner}::{name}");
    }
    let (root, _) = owner.split_once("::").unwrap_or_default();
    let (_, last) = owner.rsplit_once("::").unwrap_or_default();
    format!("{root}::…::{last}::{name}")
}

pub(crate) fn shorten_path(path: &str) -> String {
    path[..path.floor_char_boundary(2 * PATH_MAX)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_names() {
        assert_eq!(join("", "Model"), "Model");
        assert_eq!(join("Model::Main", "A1"), "Model::Main::A1");
    }

    #[test]
    fn stays_short() {
        let mut path = "M".to_owned();
        for _ in 0..100 {
            path = join(&path, &"ä".repeat(1000));
        }
        assert!(path.len() < 600, "{}", path.len());
        assert!(path.starts_with("M::…::ä"), "{path}");
    }
}
