//! Converts the names of parameters and elements to names in the cost language.

/// Reserved words of C and Rust that could be names of parameters.
const RESERVED: &[&str] = &[
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "enum", "extern", "float", "for", "fn", "goto", "if", "in", "inline", "int", "let", "long",
    "loop", "match", "mod", "move", "mut", "register", "restrict", "return", "short", "signed",
    "sizeof", "static", "struct", "switch", "type", "typedef", "union", "unsigned", "use", "void",
    "volatile", "where", "while",
];

/// Returns an identifier that resembles a name.
pub(crate) fn identifier(name: &str) -> String {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let replaced = name.chars().map(|it| if is_part(it) { it } else { '_' });
    let mut text: String = replaced.collect();
    if text.is_empty() || text.starts_with(|it: char| it.is_ascii_digit()) {
        text.insert(0, 'n');
    }
    if RESERVED.contains(&text.as_str()) {
        text.push('_');
    }
    text
}

/// Returns distinct identifiers that resemble the names.
pub(crate) fn identifiers(names: &[String]) -> Vec<String> {
    let mut all: Vec<String> = Vec::with_capacity(names.len());
    for name in names {
        let mut own = identifier(name);
        while all.contains(&own) {
            own.push('_');
        }
        all.push(own);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers() {
        let names = ["mpi.world.size", "mpi world size", "2d", "int", "n", ""];
        let names = names.map(str::to_owned);
        let expected = [
            "mpi_world_size",
            "mpi_world_size_",
            "n2d",
            "int_",
            "n",
            "n_",
        ];
        assert_eq!(identifiers(&names), expected);
    }
}
