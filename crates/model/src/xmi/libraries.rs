//! Names the types in UML tools' libraries, which models refer to by ids that say nothing.

/// Types in the libraries of Eclipse UML2 1.x (for Ecore, Java and UML) and of ArgoUML: id and
/// name.
const TYPES: [(&str, &str); 15] = [
    ("_OQomAq86EdieaYgxtVWN8Q", "EBoolean"),
    ("_OQ654K86EdieaYgxtVWN8Q", "EDouble"),
    ("_ORBAgq86EdieaYgxtVWN8Q", "EFloat"),
    ("_ORBAhK86EdieaYgxtVWN8Q", "EInt"),
    ("_ORHHI686EdieaYgxtVWN8Q", "ELong"),
    ("_TBfF4K86EdieaYgxtVWN8Q", "boolean"),
    ("_TBlMga86EdieaYgxtVWN8Q", "double"),
    ("_TBlMgq86EdieaYgxtVWN8Q", "float"),
    ("_TBlMg686EdieaYgxtVWN8Q", "int"),
    ("_TBrTIK86EdieaYgxtVWN8Q", "long"),
    ("_IXfBUK86EdieaYgxtVWN8Q", "Boolean"),
    ("_IXlH8K86EdieaYgxtVWN8Q", "Integer"),
    (
        "-84-17--56-5-43645a83:11466542d86:-8000:000000000000087C",
        "Integer",
    ),
    (
        "-84-17--56-5-43645a83:11466542d86:-8000:000000000000087D",
        "Integer",
    ),
    (
        "-84-17--56-5-43645a83:11466542d86:-8000:0000000000000880",
        "Boolean",
    ),
];

/// Returns the name of a type in another file: the name for its id, or otherwise the name in the id
/// itself, such as `Integer`, `//EDouble` or, in files from Rational tools, `_a?Types/Integer?`.
pub(super) fn type_named(id: &str) -> &str {
    let (id, name) = id.split_once('?').unwrap_or((id, ""));
    if let Some((_, known)) = TYPES.iter().find(|(known, _)| *known == id) {
        return known;
    }
    let name = name.trim_end_matches('?');
    let name = if name.is_empty() { id } else { name };
    name.rsplit('/').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_types() {
        assert_eq!(type_named("Integer"), "Integer");
        assert_eq!(type_named("//EDouble"), "EDouble");
        assert_eq!(type_named("_x8?Types/Integer?"), "Integer");
        assert_eq!(type_named("_x8?Real?"), "Real");
        assert_eq!(type_named("_TBlMga86EdieaYgxtVWN8Q"), "double");
        assert_eq!(type_named("_IXlH8K86EdieaYgxtVWN8Q?Integer?"), "Integer");
        assert_eq!(type_named(""), "");
    }
}
