//! Tests that the product's errors are types. Only a helper with a single caller may return a text
//! as an error.

use prophet_tests::project::{self, has_extension, read};

/// Maximum number of private functions that return texts as errors. To add one, another one must be
/// changed.
const TEXTS_MAX: usize = 190;

/// Returns the signatures, with visibility, of a file's functions that return texts as errors.
fn texts(code: &str) -> impl Iterator<Item = &str> {
    let starts = code.match_indices("fn ").map(|(at, _)| {
        let line = code[..at].rfind('\n').map_or(0, |end| end + 1);
        &code[line..]
    });
    let signatures = starts.filter_map(|rest| {
        let end = rest
            .find(" {\n")
            .into_iter()
            .chain(rest.find(";\n"))
            .min()?;
        Some(rest[..end].trim())
    });
    signatures.filter(|it| {
        let given = it.rsplit_once("-> ").map_or("", |(_, given)| given);
        given.starts_with("Result<") && given.ends_with(", String>")
    })
}

#[test]
fn public_functions_have_typed_errors() {
    let files = project::files().into_iter().filter(|path| {
        let is_product = path.starts_with("crates") && !path.starts_with("crates/testing");
        let is_of_it = is_product
            || path
                .iter()
                .any(|it| it == "prophet-codegen" || it == "prophet-runtime");
        is_of_it && has_extension(path, "rs") && path.iter().any(|it| it == "src")
    });
    let (mut public, mut private) = (Vec::new(), 0);
    for path in files {
        let code = read(&path);
        for signature in texts(&code) {
            if signature.starts_with("pub fn") || signature.starts_with("pub async fn") {
                public.push(format!("{}: {signature}", path.display()));
            } else {
                private += 1;
            }
        }
    }
    assert!(
        public.is_empty(),
        "give a `prophet_text::Problem`, or a type of the crate:\n{}",
        public.join("\n")
    );
    assert!(
        private <= TEXTS_MAX,
        "{private} functions have texts as errors"
    );
    // If the search found no functions at all, it would be broken.
    assert!(private > TEXTS_MAX / 2, "{private}: lower the limit");
}

#[test]
fn texts_as_errors_are_found() {
    let code =
        "pub fn a(\n    b: u8,\n) -> Result<(), String> {\n}\nfn c() -> Result<String, E>;\n";
    assert_eq!(texts(code).count(), 1);
}
