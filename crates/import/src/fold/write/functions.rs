//! Functions of the number of ranks that expressions of models call.

/// The functions, as a model has them; each calls only those before it.
const FUNCTIONS: &str = include_str!("functions.xml");

/// The functions, in XML, that texts call, with those that these call.
pub(super) fn used(texts: &[&String]) -> String {
    let functions: Vec<&str> = FUNCTIONS.split_inclusive("</function>\n").collect();
    let mut used: Vec<&str> = Vec::new();
    for function in functions.into_iter().rev() {
        let name = function.split('"').nth(1).unwrap_or_default();
        let call = format!("{name}(");
        let mut callers = texts
            .iter()
            .map(|it| it.as_str())
            .chain(used.iter().copied());
        if callers.any(|it| it.contains(&call)) {
            used.push(function);
        }
    }
    used.into_iter().rev().collect()
}
