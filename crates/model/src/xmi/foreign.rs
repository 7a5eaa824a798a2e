//! Files of tools that are not XMI: the tool that wrote each, and the advice for its user.

use std::path::Path;

/// A kind of file that people have and that holds no model we can read.
struct Kind {
    /// Endings of the file's name, in lower case.
    endings: &'static [&'static str],
    /// Marks in the first bytes, for texts and databases that only one tool writes.
    marks: &'static [&'static str],
    /// Description of the file, and advice on the file to give instead.
    told: &'static str,
}

/// The known kinds, the surest mark first.
const KINDS: [Kind; 20] = [
    Kind {
        endings: &["eap", "eapx", "qea", "qeax", "feap"],
        marks: &["Standard Jet DB", "Standard ACE DB"],
        told: "it is a project of Enterprise Architect; export it there by *Publish, Export XMI* \
               as UML 2.x (XMI 2.1), and give that file",
    },
    Kind {
        endings: &["vpp", "vpux"],
        marks: &[],
        told: "it is a project of Visual Paradigm; export it there by *Project, Export, XMI* in \
               version 2.1, and give that file",
    },
    Kind {
        endings: &["sqlite"],
        marks: &["SQLite format 3\0"],
        told: "it is a database; a project of Enterprise Architect (.qea) or Visual Paradigm \
               (.vpp) is exported there as XMI 2.1",
    },
    Kind {
        endings: &["mdj"],
        marks: &["\"_type\": \"Project\"", "\"_type\":\"Project\""],
        told: "it is a project of StarUML; export it there by *File, Export, XMI Export (v2.1)*, \
               an extension of StarUML, and give that file",
    },
    Kind {
        endings: &[],
        marks: &["<XPD:PROJECT"],
        told: "it is a project of StarUML 1; export it there by *File, Export, XMI*, and give that \
               file",
    },
    Kind {
        endings: &["capella", "melodymodeller"],
        marks: &["org.polarsys.capella"],
        told: "it is a model of Capella, and not in UML; draw the program in a UML tool such as \
               Papyrus, and give the file that it writes",
    },
    Kind {
        endings: &["sysml", "kerml"],
        marks: &[],
        told: "it is a text of SysML 2, which is not supported; draw the program as an activity \
               diagram of UML, or write it as a text of PlantUML (docs/text.md)",
    },
    Kind {
        endings: &["dax"],
        marks: &["<adag"],
        told: "it is a workflow of Pegasus (DAX), and not in UML; draw the program as an activity \
               diagram",
    },
    Kind {
        endings: &["asta", "jude", "asml"],
        marks: &[],
        told: "it is a project of astah; save it there as XMI by *Tool, XML Input & Output*, and \
               give that file",
    },
    Kind {
        endings: &["mdl", "ptl"],
        marks: &["(object Petal"],
        told: "it is a model of Rational Rose; export it there as XMI, and give that file",
    },
    Kind {
        endings: &["di", "notation", "aird"],
        marks: &[
            "<notation:Diagram",
            "<di:SashWindowsMngr",
            "<architecture:ArchitectureDescription",
            "<viewpoint:DAnalysis",
        ],
        told: "it holds only the drawings of a model in Eclipse; give the file `.uml` beside it",
    },
    Kind {
        endings: &["puml", "plantuml", "iuml", "pu", "wsd"],
        marks: &[],
        told: "it has no line `@startuml`, with which a model as text begins (docs/text.md)",
    },
    Kind {
        endings: &["mmd", "mermaid"],
        marks: &[],
        told: "it is a text of Mermaid, which is a drawing and no UML model; draw the program in \
               a UML tool, or write it as a text of PlantUML (docs/text.md)",
    },
    Kind {
        endings: &["drawio", "dio"],
        marks: &["<mxfile", "<mxGraphModel"],
        told: "it is a drawing of draw.io, and no UML model; draw the program in a UML tool such \
               as Papyrus, and give the file that it writes",
    },
    Kind {
        endings: &["vsdx", "vsd", "vdx"],
        marks: &["<VisioDocument"],
        told: "it is a drawing of Visio, and no UML model; draw the program in a UML tool such as \
               Papyrus, and give the file that it writes",
    },
    Kind {
        endings: &["uxf"],
        marks: &["<umlet_diagram", "program=\"umlet\""],
        told: "it is a drawing of UMLet, and no UML model; draw the program in a UML tool such as \
               Papyrus, and give the file that it writes",
    },
    Kind {
        endings: &["gaphor"],
        marks: &["<gaphor"],
        told: "it is a model of Gaphor, which exports no activities; draw the program in a UML \
               tool such as Papyrus, and give the file that it writes",
    },
    Kind {
        endings: &["bpmn"],
        marks: &["omg.org/spec/BPMN"],
        told: "it is a model in BPMN, and not in UML; draw the program as an activity diagram",
    },
    Kind {
        endings: &["pdf", "png", "jpg", "jpeg", "svg", "gif"],
        marks: &["%PDF-", "PNG\r\n", "<svg"],
        told: "it is a picture; export the model as XMI from the tool that it was drawn in",
    },
    Kind {
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
    let marked = |kind: &&Kind| kind.marks.iter().any(|mark| head.contains(mark));
    let ending = Path::new(name).extension().unwrap_or_default();
    let ending = ending.to_string_lossy().to_ascii_lowercase();
    let named = |kind: &&Kind| kind.endings.contains(&ending.as_str());
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
    use super::super::decode;

    /// Reason why the bytes of a file with that name are rejected.
    fn refused(name: &str, bytes: &[u8]) -> String {
        let problem = decode(name, bytes.to_vec()).expect_err("it is not a model");
        let start = format!("cannot read `{name}`: ");
        let reason = problem
            .message
            .strip_prefix(&start)
            .expect("it names the file");
        reason.to_owned()
    }

    #[test]
    fn files_of_tools_are_told_by_name_and_by_content() {
        let cases: [(&str, &[u8], &str); 22] = [
            (
                "a.eap",
                b"\0\x01\0\0Standard Jet DB\0",
                "Enterprise Architect",
            ),
            (
                "a.EAPX",
                b"\0\x01\0\0Standard ACE DB\0\xff",
                "Enterprise Architect",
            ),
            (
                "copy",
                b"\0\x01\0\0Standard Jet DB\0\xff",
                "Enterprise Architect",
            ),
            ("a.qea", b"SQLite format 3\0\x10", "Enterprise Architect"),
            ("a.vpp", b"SQLite format 3\0\x10", "Visual Paradigm"),
            ("a.vpp", b"PK\x03\x04", "Visual Paradigm"),
            ("copy", b"SQLite format 3\0\x10\xff", "a database"),
            ("a.mdj", b"{\"_type\": \"Project\"}", "StarUML"),
            ("copy.txt", b"{\n \"_type\": \"Project\"}", "StarUML"),
            (
                "a.uml",
                b"<?xml version=\"1.0\"?><XPD:PROJECT xmlns:XPD=\"http://www.staruml.com\"/>",
                "StarUML 1",
            ),
            ("a.capella", b"<org.polarsys.capella.core/>", "Capella"),
            (
                "a.xml",
                b"<p xmlns:la=\"http://www.polarsys.org/org.polarsys.capella.core\"/>",
                "Capella",
            ),
            ("a.sysml", b"action def A;", "SysML 2"),
            ("a.dax", b"<adag name=\"Montage\"/>", "Pegasus"),
            ("a.xml", b"<adag name=\"Montage\"/>", "Pegasus"),
            ("a.puml", b"start\nstop", "has no line `@startuml`"),
            ("a.mmd", b"graph TD", "PlantUML"),
            ("a.drawio", b"<mxfile host=\"x\"/>", "draw.io"),
            (
                "a.xml",
                b"<?xml version=\"1.0\"?><mxfile host=\"x\"/>",
                "draw.io",
            ),
            (
                "a.notation",
                b"<notation:Diagram xmlns:notation=\"x\"/>",
                "`.uml` beside it",
            ),
            ("a.vsdx", b"PK\x03\x04", "Visio"),
            ("a.bin", b"%PDF-1.7\n\xff", "a picture"),
        ];
        for (name, bytes, told) in cases {
            let reason = refused(name, bytes);
            assert!(reason.contains(told), "{name}: {reason}");
            assert!(reason.starts_with("it "), "{name}: {reason}");
        }
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
