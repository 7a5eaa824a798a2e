//! Files of tools that are not XMI: the tool that wrote each, and the advice for its user.

use std::path::Path;

/// A kind of file that people have and that holds no model we can read.
struct ForeignKind {
    /// Endings of the file's name, in lower case.
    endings: &'static [&'static str],
    /// Marks in the first bytes, for texts and databases that only one tool writes.
    marks: &'static [&'static str],
    /// Description of the file, and advice on the file to give instead.
    told: &'static str,
}

/// The known kinds, the surest mark first.
const KINDS: [ForeignKind; 20] = [
    ForeignKind {
        endings: &["eap", "eapx", "qea", "qeax", "feap"],
        marks: &["Standard Jet DB", "Standard ACE DB"],
        told: "it is a project of Enterprise Architect; export it there by *Publish, Export XMI* \
               as UML 2.x (XMI 2.1), and give that file",
    },
    ForeignKind {
        endings: &["vpp", "vpux"],
        marks: &[],
        told: "it is a project of Visual Paradigm; export it there by *Project, Export, XMI* in \
               version 2.1, and give that file",
    },
    ForeignKind {
        endings: &["sqlite"],
        marks: &["SQLite format 3\0"],
        told: "it is a database; a project of Enterprise Architect (.qea) or Visual Paradigm \
               (.vpp) is exported there as XMI 2.1",
    },
    ForeignKind {
        endings: &["mdj"],
        marks: &["\"_type\": \"Project\"", "\"_type\":\"Project\""],
        told: "it is a project of StarUML; export it there by *File, Export, XMI Export (v2.1)*, \
               an extension of StarUML, and give that file",
    },
    ForeignKind {
        endings: &[],
        marks: &["<XPD:PROJECT"],
        told: "it is a project of StarUML 1; export it there by *File, Export, XMI*, and give that \
               file",
    },
    ForeignKind {
        endings: &["capella", "melodymodeller"],
        marks: &["org.polarsys.capella"],
        told: "it is a model of Capella, and not in UML; draw the program in a UML tool such as \
               Papyrus, and give the file that it writes",
    },
    ForeignKind {
        endings: &["sysml", "kerml"],
        marks: &[],
        told: "it is a text of SysML 2, which is not supported; draw the program as an activity \
               diagram of UML, or write it as a text of PlantUML (docs/text.md)",
    },
    ForeignKind {
        endings: &["dax"],
        marks: &["<adag"],
        told: "it is a workflow of Pegasus (DAX), and not in UML; draw the program as an activity \
               diagram",
    },
    ForeignKind {
        endings: &["asta", "jude", "asml"],
        marks: &[],
        told: "it is a project of astah; save it there as XMI by *Tool, XML Input & Output*, and \
               give that file",
    },
    ForeignKind {
        endings: &["mdl", "ptl"],
        marks: &["(object Petal"],
        told: "it is a model of Rational Rose; export it there as XMI, and give that file",
    },
    ForeignKind {
        endings: &["di", "notation", "aird"],
        marks: &[
            "<notation:Diagram",
            "<di:SashWindowsMngr",
            "<architecture:ArchitectureDescription",
            "<viewpoint:DAnalysis",
        ],
        told: "it holds only the drawings of a model in Eclipse; give the file `.uml` beside it",
    },
    ForeignKind {
        endings: &["puml", "plantuml", "iuml", "pu", "wsd"],
        marks: &[],
        told: "it has no line `@startuml`, with which a model as text begins (docs/text.md)",
    },
    ForeignKind {
        endings: &["mmd", "mermaid"],
        marks: &[],
        told: "it is a text of Mermaid, which is a drawing and no UML model; draw the program in \
               a UML tool, or write it as a text of PlantUML (docs/text.md)",
    },
    ForeignKind {
        endings: &["drawio", "dio"],
        marks: &["<mxfile", "<mxGraphModel"],
        told: "it is a drawing of draw.io, and no UML model; draw the program in a UML tool such \
               as Papyrus, and give the file that it writes",
    },
    ForeignKind {
        endings: &["vsdx", "vsd", "vdx"],
        marks: &["<VisioDocument"],
        told: "it is a drawing of Visio, and no UML model; draw the program in a UML tool such as \
               Papyrus, and give the file that it writes",
    },
    ForeignKind {
        endings: &["uxf"],
        marks: &["<umlet_diagram", "program=\"umlet\""],
        told: "it is a drawing of UMLet, and no UML model; draw the program in a UML tool such as \
               Papyrus, and give the file that it writes",
    },
    ForeignKind {
        endings: &["gaphor"],
        marks: &["<gaphor"],
        told: "it is a model of Gaphor, which exports no activities; draw the program in a UML \
               tool such as Papyrus, and give the file that it writes",
    },
    ForeignKind {
        endings: &["bpmn"],
        marks: &["omg.org/spec/BPMN"],
        told: "it is a model in BPMN, and not in UML; draw the program as an activity diagram",
    },
    ForeignKind {
        endings: &["pdf", "png", "jpg", "jpeg", "svg", "gif"],
        marks: &["%PDF-", "PNG\r\n", "<svg"],
        told: "it is a picture; export the model as XMI from the tool that it was drawn in",
    },
    ForeignKind {
        endings: &["json"],
        marks: &[],
        told: "it is JSON, and no model in XMI; export the model as XMI 2.1 from its tool",
    },
];

/// Maximum number of bytes examined at the start of a file.
const HEAD_MAX: usize = 4096;

/// Examined start of a file.
pub(super) fn head(bytes: &[u8]) -> String {
    let head = &bytes[..bytes.len().min(HEAD_MAX)];
    String::from_utf8_lossy(head).into_owned()
}

/// Describes a file that is not XMI by its name and start; `None` if it may be a model.
pub(super) fn told(name: &str, head: &str) -> Option<&'static str> {
    let marked = |kind: &&ForeignKind| kind.marks.iter().any(|mark| head.contains(mark));
    let ending = Path::new(name).extension().unwrap_or_default();
    let ending = ending.to_string_lossy().to_ascii_lowercase();
    let named = |kind: &&ForeignKind| kind.endings.contains(&ending.as_str());
    // A model may have any name, and may quote any mark.
    let is_model = [
        "<uml:",
        "<UML:",
        "<XMI",
        "prophet/model/",
        "@startuml",
        "@startactivity",
    ];
    if is_model.iter().any(|root| head.contains(root)) {
        return None;
    }
    let by_name = KINDS.iter().find(named);
    let kind = by_name.or_else(|| KINDS.iter().find(marked))?;
    Some(kind.told)
}

#[cfg(test)]
mod tests {
    use prophet_testing::assert_cases;

    use super::super::decode;

    /// A text with bytes as `\x00`.
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
                .strip_prefix(&format!("cannot read `{name}`: "));
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
        // A model may contain any text.
        let quoting = String::from_utf8_lossy(model).replace("\"M\"", "\"@startuml %PDF-\"");
        assert!(decode("a.uml", quoting.into_bytes()).is_ok());
    }
}
