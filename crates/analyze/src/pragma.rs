//! Reads the clauses of a directive of OpenMP, which clang's tree leaves out.

/// Returns the names of a directive's clauses with what is in their brackets.
pub(crate) fn clauses(line: &str) -> Vec<(String, String)> {
    let mut clauses = Vec::new();
    let mut rest = line.split("omp").nth(1).unwrap_or_default();
    while let Some(open) = rest.find('(') {
        let words: Vec<&str> = rest[..open].split([' ', '\t', ',', ')']).collect();
        let name = words
            .into_iter()
            .rev()
            .find(|it| !it.is_empty())
            .unwrap_or_default();
        let mut depth = 0_usize;
        let close = rest[open..].char_indices().find(|(_, it)| {
            depth += usize::from(*it == '(');
            depth -= usize::from(*it == ')' && depth > 0);
            depth == 0
        });
        let end = close.map_or(rest.len(), |it| open + it.0);
        clauses.push((name.to_owned(), rest[open + 1..end].trim().to_owned()));
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    clauses
}

#[cfg(test)]
mod tests {
    #[test]
    fn clauses_are_read() {
        let line = "#pragma omp parallel for num_threads(2 * (n + 1)) schedule(dynamic, 4)";
        let found = super::clauses(line);
        let found: Vec<(&str, &str)> = found.iter().map(|it| (&*it.0, &*it.1)).collect();
        assert_eq!(
            found,
            [("num_threads", "2 * (n + 1)"), ("schedule", "dynamic, 4")]
        );
        assert_eq!(super::clauses("#pragma omp barrier"), []);
    }
}
