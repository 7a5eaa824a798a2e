//! Provides a small model in the many formats that tools and people write.

use std::path::{Path, PathBuf};

/// The model in its plainest form. `Wärme` is its only non-ASCII name.
const PLAIN: &str = include_str!("hard.uml");

/// Returns the model as a file in each format, by the name of the format.
#[must_use]
pub fn hard_models() -> Vec<(&'static str, Vec<u8>)> {
    let mut models: Vec<(&str, Vec<u8>)> = Vec::new();
    for (form, text) in forms() {
        models.push((form, text.into_bytes()));
    }
    let marked = |order: fn(u16) -> [u8; 2]| {
        let text = format!("\u{feff}{}", PLAIN.replace("UTF-8", "UTF-16"));
        text.encode_utf16().flat_map(order).collect::<Vec<u8>>()
    };
    let narrow = |label: &str| {
        let text = PLAIN.replace("UTF-8", label);
        let bytes = text.chars().map(|it| u8::try_from(it).unwrap_or(b'?'));
        bytes.collect::<Vec<u8>>()
    };
    models.push(("UTF-16, little-endian", marked(u16::to_le_bytes)));
    models.push(("UTF-16, big-endian", marked(u16::to_be_bytes)));
    models.push(("windows-1252", narrow("windows-1252")));
    models.push(("ISO-8859-1", narrow("ISO-8859-1")));
    models
}

fn forms() -> Vec<(&'static str, String)> {
    let mut forms = spaces();
    forms.extend(syntaxes());
    forms.extend(structures());
    forms
}

/// Varies whitespace, line endings and quotes.
fn spaces() -> Vec<(&'static str, String)> {
    vec![
        ("plain", PLAIN.to_owned()),
        ("CRLF", PLAIN.replace('\n', "\r\n")),
        ("lines that end in CR", PLAIN.replace('\n', "\r")),
        ("mixed line ends", PLAIN.replacen('\n', "\r\n", 7)),
        ("byte order mark", format!("\u{feff}{PLAIN}")),
        ("no newline at the end", PLAIN.trim_end().to_owned()),
        ("blank lines at the end", format!("{PLAIN}\n\n  \n")),
        (
            "no declaration",
            PLAIN.lines().skip(1).collect::<Vec<_>>().join("\n"),
        ),
        ("tabs", PLAIN.replace("  ", "\t")),
        ("one line", PLAIN.lines().map(str::trim_start).collect()),
        ("single quotes", PLAIN.replace('"', "'")),
        (
            "an attribute a line",
            PLAIN
                .replace(" name=", "\n          name = ")
                .replace(" xmi:id=", "\n\t xmi:id\t=\n"),
        ),
        (
            "space before the end of tags",
            PLAIN.replace("/>", " \n />").replace("\">", "\"  >"),
        ),
    ]
}

/// Varies the XML syntax that a text can contain.
fn syntaxes() -> Vec<(&'static str, String)> {
    let noted = "<!-- a > b, <node xmi:id=\"_a1\" name='A1'/> --><?tool a=\"<x>\" ?>";
    vec![
        (
            "references",
            PLAIN
                .replace("A1\"", "A&#x31; &lt;&amp;&quot;&apos;&gt;\"")
                .replace("_end", "_e&#110;d"),
        ),
        (
            "comments and instructions",
            PLAIN
                .replace('\n', &format!("\n{noted}"))
                .replacen(noted, "", 1),
        ),
        (
            "comments beside texts",
            PLAIN.replace("x = 1;", &format!("x{noted} = 1;")),
        ),
        (
            "CDATA",
            PLAIN.replace("x = 1;", "<![CDATA[if (a < b && c > d) x = \"</body>\";]]>"),
        ),
        (
            "signs in values",
            PLAIN
                .replace("2.5", "a > b ? '/>' : 1")
                .replace("Program", "x />"),
        ),
        (
            "other languages",
            PLAIN.replace("A1\"", "计算 \u{1f980} \u{202e}abc\u{202c}\""),
        ),
        (
            "standalone",
            PLAIN.replace("\"UTF-8\"?", "'utf-8' standalone='yes' ?"),
        ),
        ("names in elements", named_by_elements()),
        ("attributes in another order", in_another_order()),
    ]
}

/// Writes names as child elements, as some tools do.
fn named_by_elements() -> String {
    let text = PLAIN
        .replace(" name=\"Main\"", "")
        .replace(" name=\"A1\"", "");
    let text = text.replace("_which _a2 _end\">", "_which _a2 _end\"><name>Main</name>");
    text.replace("outgoing=\"_f2\">", "outgoing=\"_f2\"><name>A1</name>")
}

fn in_another_order() -> String {
    let lines = PLAIN.lines().map(|line| {
        let Some((head, rest)) = line.split_once(" xmi:type=\"") else {
            return line.to_owned();
        };
        let (kind, rest) = rest.split_once('"').unwrap_or((rest, ""));
        let end = rest.find(['/', '>']).unwrap_or(rest.len());
        format!("{head}{} xmi:type=\"{kind}\"{}", &rest[..end], &rest[end..])
    });
    lines.collect::<Vec<_>>().join("\n")
}

const UML: &str = "http://www.eclipse.org/uml2/5.0.0/UML";
const OTHERS: &str = "<xmi:Documentation exporter=\"Tool\"/>
  <uml:Package xmi:id=\"_other\" name=\"Other\"/>
  ";
const EXTENSION: &str = "<xmi:Extension extender=\"Tool\">\
    <own:thing xmlns:own=\"urn:x\" id='1'>text &amp; more</own:thing></xmi:Extension>";

/// Varies namespaces and roots.
fn structures() -> Vec<(&'static str, String)> {
    let declared = format!(" xmlns:uml=\"{UML}\"");
    let late = PLAIN.replacen(&declared, "", 1);
    let extended = PLAIN.replace(
        "</uml:Model>",
        &format!("{EXTENSION}</uml:Model>{EXTENSION}"),
    );
    let others = PLAIN.replacen("<uml:Model", &format!("{OTHERS}<uml:Model"), 1);
    let ids = PLAIN.replace("_a1", "a.1-\u{e9}&amp;");
    vec![
        ("other prefixes", with_other_prefixes()),
        ("a model alone", alone()),
        ("several top elements", others),
        ("extensions of a tool", extended),
        (
            "a namespace declared late",
            late.replacen("<uml:Model", &format!("<uml:Model{declared}"), 1),
        ),
        (
            "the standard's namespace",
            PLAIN.replace(UML, "http://www.omg.org/spec/UML/20131001"),
        ),
        ("ids with signs", ids.replace("_f2", "{F-2}")),
    ]
}

fn with_other_prefixes() -> String {
    let mut text = PLAIN.to_owned();
    for (old, new) in [("xmi", "x"), ("uml", "UML-2."), ("prophet", "p")] {
        text = text.replace(&format!("{old}:"), &format!("{new}:"));
        text = text.replace(&format!("xmlns:{old}="), &format!("xmlns:{new}="));
    }
    text
}

/// Makes the model the root, without stereotypes.
fn alone() -> String {
    let lines = PLAIN.lines();
    let lines = lines.filter(|it| !it.contains("prophet:") && !it.contains("xmi:XMI"));
    let spaces = "xmi:version=\"2.1\" xmlns:xmi=\"http://schema.omg.org/spec/XMI/2.1\"";
    let root = format!("<uml:Model {spaces} xmlns:uml=\"{UML}\" ");
    let lines = lines.collect::<Vec<_>>().join("\n");
    lines.replace("<uml:Model ", &root)
}

/// Returns all models in a folder and its subfolders, sorted; empty if the folder doesn't exist.
#[must_use]
pub fn models_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            found.extend(models_in(&path));
        } else if path.extension().is_some_and(|it| {
            ["uml", "xmi", "xml", "emx", "mdxml"]
                .iter()
                .any(|known| it == *known)
        }) {
            found.push(path);
        }
    }
    found.sort();
    found
}
