//! Finds the paths with which a module imports from its own crate.

/// A module, as the names on the path from the crate's root.
pub(super) type Module = Vec<String>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Import {
    pub(super) path: Vec<String>,
    pub(super) name: String,
    /// Whether the module only re-exports it.
    pub(super) is_reexport: bool,
}

/// Returns the imports in a module's text, without those in its unit tests.
pub(super) fn imports(module: &Module, text: &str) -> Vec<Import> {
    let code = text
        .split("#[cfg(test)]\nmod tests")
        .next()
        .unwrap_or_default();
    let code: String = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| [line, "\n"])
        .collect();
    let mut found = Vec::new();
    for statement in code.split(';') {
        let Some((before, tree)) = use_tree(statement) else {
            found.extend(paths_in(module, statement));
            continue;
        };
        let mut paths = Vec::new();
        expand(tree, &[], &mut paths);
        for (path, name) in paths {
            if let Some(path) = from_root(module, &path) {
                let is_reexport = before.trim_end().ends_with(['b', ')']);
                found.push(Import {
                    path,
                    name,
                    is_reexport,
                });
            }
        }
    }
    found
}

/// Splits a statement at `use`, if it has one.
fn use_tree(statement: &str) -> Option<(&str, &str)> {
    let start = statement.rfind("use ")?;
    let before = &statement[..start];
    let begins = before.is_empty() || before.ends_with([' ', '\n']);
    let line = before.rsplit('\n').next().unwrap_or_default().trim();
    let is_use = begins && (line.is_empty() || line.starts_with("pub"));
    is_use.then(|| (line, statement[start + 4..].trim()))
}

/// Lists the paths in a tree of imports, with the local name of each.
fn expand(tree: &str, prefix: &[String], paths: &mut Vec<(Vec<String>, String)>) {
    let tree = tree.trim();
    if let Some((head, group)) = tree.split_once('{') {
        let prefix: Vec<String> = prefix.iter().cloned().chain(segments(head)).collect();
        let group = group.trim_end().trim_end_matches('}');
        for part in parts(group) {
            expand(part, &prefix, paths);
        }
        return;
    }
    let (path, alias) = match tree.split_once(" as ") {
        Some((path, alias)) => (path, Some(alias.trim().to_owned())),
        None => (tree, None),
    };
    let mut path: Vec<String> = prefix.iter().cloned().chain(segments(path)).collect();
    if path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    if let Some(last) = path.last() {
        let name = alias.unwrap_or_else(|| last.clone());
        paths.push((path, name));
    }
}

/// Splits a group at the commas that aren't inside nested groups.
fn parts(group: &str) -> Vec<&str> {
    let mut depth = 0;
    let at_comma = |c: char| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    };
    let parts = group.split(at_comma).map(str::trim);
    parts.filter(|part| !part.is_empty()).collect()
}

fn segments(path: &str) -> impl Iterator<Item = String> {
    let names = path.split("::").map(str::trim);
    names.filter(|name| !name.is_empty()).map(str::to_owned)
}

/// Finds paths into the crate in other code, except in visibility modifiers.
fn paths_in(module: &Module, code: &str) -> Vec<Import> {
    let code = code.replace("pub(in ", "pub(in_");
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = code.split(|c: char| !is_name(c));
    let is_path = |word: &&str| {
        (word.starts_with("crate::") || word.starts_with("super::")) && !word.ends_with(':')
    };
    let paths = words.filter(is_path);
    let absolute = paths.filter_map(|path| {
        let path: Vec<String> = segments(path).collect();
        from_root(module, &path)
    });
    absolute
        .filter_map(|path| {
            let name = path.last()?.clone();
            Some(Import {
                path,
                name,
                is_reexport: false,
            })
        })
        .collect()
}

/// Converts a path to a path from the root; `None` if it leaves the crate.
fn from_root(module: &Module, path: &[String]) -> Option<Vec<String>> {
    let ups = path.iter().take_while(|name| *name == "super").count();
    match path.first()?.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "super" => {
            let base = module.get(..module.len().checked_sub(ups)?)?;
            Some(base.iter().chain(&path[ups..]).cloned().collect())
        }
        "self" => Some(module.iter().chain(&path[1..]).cloned().collect()),
        first => {
            // Modules of the crate start with lowercase letters, and so do other crates.
            let own: Vec<String> = module.iter().chain(path).cloned().collect();
            let is_crate =
                ["std", "core", "libm"].contains(&first) || first.starts_with("prophet_");
            (!is_crate).then_some(own)
        }
    }
}
