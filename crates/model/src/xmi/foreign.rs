//! Recognizes files that aren't models, and tells users what to do with them.

use prophet_text::{BEGIN_BYTES, EMPTY, FileKind, FileRole, file_format, is_empty};

/// Describes a file that isn't a model, based on its name and first bytes; `None` if it could be a
/// model.
pub(super) fn told(name: &str, bytes: &[u8]) -> Option<&'static str> {
    if is_empty(bytes) {
        return Some(EMPTY.told_for(FileRole::Model));
    }
    let most = usize::try_from(BEGIN_BYTES).unwrap_or(usize::MAX);
    let format = file_format(name, &bytes[..bytes.len().min(most)])?;
    let may_be = format.kind.role() == FileRole::Model || format.kind == FileKind::Rules;
    (!may_be).then_some(format.told)
}

#[cfg(test)]
mod tests {
    use prophet_testing::assert_cases;

    use super::super::decode;

    fn bytes(text: &str) -> Vec<u8> {
        let mut parts = text.split("\\x");
        let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
        for part in parts {
            let (byte, rest) = part.split_at(2);
            bytes.push(u8::from_str_radix(byte, 16).expect("it is a byte"));
            bytes.extend(rest.as_bytes());
        }
        bytes
    }

    #[test]
    fn files_of_tools_are_told_by_name_and_by_content() {
        assert_cases("tests/cases/foreign.txt", |case| {
            let (name, tool) = case.title.split_once(": ").expect("a title has a file");
            let problem = decode(name, bytes(case.input)).expect_err("it is not a model");
            let reason = problem
                .message
                .strip_prefix(&format!("cannot read {name}: "));
            let reason = reason.expect("it names the file");
            assert!(
                reason.starts_with("it ") && reason.contains(tool),
                "{reason}"
            );
            reason.to_owned()
        });
    }

    #[test]
    fn a_model_is_read_whatever_its_name() {
        let model = br#"<uml:Model xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML" name="M"/>"#;
        for name in ["a.eap", "a.vpp", "a.json", "a.drawio", "a.svg", "a.uml"] {
            assert!(decode(name, model.to_vec()).is_ok(), "{name}");
        }
        // A model can quote the signatures of other formats.
        let quoting = String::from_utf8_lossy(model).replace("\"M\"", "\"@startuml %PDF-\"");
        assert!(decode("a.uml", quoting.into_bytes()).is_ok());
    }
}
