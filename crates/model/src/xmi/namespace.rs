//! Recognizes namespaces by their URIs, which differ between tools and versions.

use super::tree::Namespace;

/// Returns the namespace that `prefix` refers to; [`None`] if it belongs neither to XMI nor to UML.
pub(super) fn classify(prefix: &str, uri: Option<&str>) -> Option<Namespace> {
    let Some(uri) = uri else {
        // Some tools don't declare them.
        return match prefix {
            "" => Some(Namespace::None),
            "xmi" => Some(Namespace::Xmi),
            "uml" => Some(Namespace::Uml),
            "xsi" => Some(Namespace::Xsi),
            _ => None,
        };
    };
    let standard = uri.contains("omg.org") || uri.contains("eclipse.org");
    if uri == "http://www.w3.org/2001/XMLSchema-instance" {
        Some(Namespace::Xsi)
    } else if standard && has_version_of(uri, "XMI") {
        Some(Namespace::Xmi)
    } else if standard && has_version_of(uri, "UML") {
        Some(Namespace::Uml)
    } else {
        None
    }
}

/// Returns `true` if the URI ends with the segment `name` and optionally a version.
/// `http://www.omg.org/spec/UML/20131001` does for `UML`, but `…/UML/20131001/StandardProfile`
/// doesn't.
fn has_version_of(uri: &str, name: &str) -> bool {
    let mut segments = uri.split('/').filter(|segment| !segment.is_empty());
    let is_version = |segment: &str| {
        let is_digit = |b: u8| b.is_ascii_digit() || b == b'.';
        segment.bytes().all(is_digit) || segment.eq_ignore_ascii_case("uml.xml")
    };
    segments.any(|segment| segment.eq_ignore_ascii_case(name)) && segments.all(is_version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_uris_of_tools() {
        for uri in [
            "http://www.omg.org/XMI",
            "http://schema.omg.org/spec/XMI/2.1",
            "http://www.omg.org/spec/XMI/20131001",
        ] {
            assert_eq!(classify("x", Some(uri)), Some(Namespace::Xmi), "{uri}");
        }
        for uri in [
            "http://www.eclipse.org/uml2/5.0.0/UML",
            "http://www.eclipse.org/uml2/1.0.0/UML",
            "http://schema.omg.org/spec/UML/2.0",
            "http://schema.omg.org/spec/UML/2.1/",
            "http://schema.omg.org/spec/UML/2.1/uml.xml",
            "http://www.omg.org/spec/UML/20131001",
        ] {
            assert_eq!(classify("u", Some(uri)), Some(Namespace::Uml), "{uri}");
        }
    }

    #[test]
    fn leaves_profiles_and_diagrams_alone() {
        for uri in [
            "http://www.omg.org/spec/UML/20131001/StandardProfile",
            "http://www.omg.org/spec/UML/20131001/UMLDI",
            "http:///schemas/prophet/1",
            "http://example.org/UML",
            "",
        ] {
            assert_eq!(classify("uml", Some(uri)), None, "{uri}");
        }
    }
}
