//! Writes a bill of materials for the libraries in the program.
//!
//! We derive it from cargo's output ourselves, because `cargo-cyclonedx` takes minutes to compile.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::platform::FEATURES;
use super::tool::{Tool, output};
use super::{HERE, PACKAGE, PROGRAM, VERSION};
use crate::Stop;

type Library = (String, String);

/// Returns a bill of materials in the format `CycloneDX` 1.5.
pub(super) fn bill(root: &Path) -> Result<String, Stop> {
    let lock = root.join("Cargo.lock");
    let lock =
        std::fs::read_to_string(&lock).map_err(|error| super::stop("read", &lock, &error))?;
    let arguments = [
        "tree",
        "--locked",
        "--package",
        PACKAGE,
        "--edges",
        "normal,no-proc-macro",
        "--target",
        HERE.triple(),
        "--prefix",
        "none",
        "--format",
        "{p}|{l}",
    ];
    let arguments = [&arguments[..], &FEATURES].concat();
    let tree = output(Tool::Cargo, &arguments, root)?;
    let sums = checksums(&lock);
    let libraries = libraries(&tree);
    let parts: Vec<Value> = { libraries.iter() }
        .map(|(library, license)| component(library, license, sums.get(library)))
        .collect();
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": format!("{PROGRAM}@{VERSION}"),
                "name": PROGRAM,
                "version": VERSION,
                "licenses": [{ "expression": env!("CARGO_PKG_LICENSE") }],
            },
        },
        "components": parts,
    });
    serde_json::to_string_pretty(&bill).map_err(|error| Stop::input(error.to_string()))
}

/// Reads third-party libraries and their licenses from the output of `cargo tree`.
fn libraries(tree: &str) -> BTreeMap<Library, String> {
    let lines = tree.lines().filter_map(|line| line.split_once('|'));
    // The versions of our own crates are followed by a folder.
    let others = lines.filter(|(package, _)| !package.contains('/'));
    let named = others.filter_map(|(package, license)| {
        let (name, version) = package.split_once(" v")?;
        Some((
            (name.to_owned(), version.to_owned()),
            license.trim_end_matches(" (*)").to_owned(),
        ))
    });
    named.collect()
}

fn checksums(lock: &str) -> BTreeMap<Library, String> {
    let field = |package: &str, name: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(name));
        Some(line?.strip_prefix(" = \"")?.strip_suffix('"')?.to_owned())
    };
    let packages = lock.split("[[package]]").filter_map(|package| {
        let library = (field(package, "name")?, field(package, "version")?);
        Some((library, field(package, "checksum")?))
    });
    packages.collect()
}

fn component((name, version): &Library, license: &str, sum: Option<&String>) -> Value {
    let address = format!("pkg:cargo/{name}@{version}");
    let sums = sum.map(|sum| json!({ "alg": "SHA-256", "content": sum }));
    // Older packages contain `/` instead of `OR`.
    let license = license.replace('/', " OR ");
    json!({
        "type": "library",
        "bom-ref": address,
        "name": name,
        "version": version,
        "purl": address,
        "hashes": sums.into_iter().collect::<Vec<_>>(),
        "licenses": [{ "expression": license }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_of_others_are_listed_once_with_license_and_checksum() {
        let tree = "cargo-prophet v0.1.0 (/a/crates/cargo-prophet)|MIT OR Apache-2.0\n\
                    clap v4.6.7|MIT OR Apache-2.0\n\
                    prophet-sim v0.1.0 (/a/crates/sim)|MIT OR Apache-2.0\n\
                    old v0.2.0|MIT/Apache-2.0\n\
                    clap v4.6.7|MIT OR Apache-2.0 (*)\n";
        let listed = libraries(tree);
        assert_eq!(listed.len(), 2);
        let clap = ("clap".to_owned(), "4.6.7".to_owned());
        assert_eq!(listed[&clap], "MIT OR Apache-2.0");

        let lock = "[[package]]\nname = \"clap\"\nversion = \"4.6.7\"\nsource = \"r\"\n\
                    checksum = \"0a1b\"\n\n[[package]]\nname = \"ours\"\nversion = \"0.1.0\"\n";
        let sums = checksums(lock);
        assert_eq!(sums.len(), 1);
        let part = component(&clap, &listed[&clap], sums.get(&clap));
        assert_eq!(part["hashes"][0]["content"], "0a1b");
        assert_eq!(part["purl"], "pkg:cargo/clap@4.6.7");

        let old = ("old".to_owned(), "0.2.0".to_owned());
        let part = component(&old, &listed[&old], None);
        assert_eq!(part["licenses"][0]["expression"], "MIT OR Apache-2.0");
    }
}
