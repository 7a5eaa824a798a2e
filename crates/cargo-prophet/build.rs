//! Packs the runtime's sources, so that the program can compile models' crates anywhere, and adds
//! the commit to its version.

mod commit;
mod origin;

use std::fmt::Write as _;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use origin::Origin;

/// The crate that the generated crates of models depend on.
const RUNTIME: &str = "prophet-runtime";
/// Another file that commands need: the versions of libraries.
const VERSIONS: &str = "Cargo.lock";
const MANIFEST: &str = "Cargo.toml";

fn main() {
    let own = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let origin = Origin::around(&own);
    println!(
        "cargo::rustc-env=PROPHET_VERSION={}",
        commit::version(origin.root())
    );
    let crates = closure(&origin);
    let mut files = vec![(VERSIONS.to_owned(), origin.versions())];
    for name in &crates {
        walk(&origin, &origin.folder(name), name, &mut files);
    }
    files.sort();

    let manifest = workspace(&origin, &crates);
    let mut hasher = DefaultHasher::new();
    manifest.hash(&mut hasher);
    // Compressing all files as one stream makes them five times smaller.
    let mut stream = GzEncoder::new(Vec::new(), Compression::best());
    let mut list = "const FILES: &[(&str, usize)] = &[\n".to_owned();
    let mut add = |name: &str, content: &[u8]| {
        let _ = writeln!(list, "    ({name:?}, {}),", content.len());
        stream.write_all(content).expect("memory can be written");
    };
    add(MANIFEST, manifest.as_bytes());
    for (name, file) in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let content = fs::read(&file).expect("it was listed");
        (&name, &content).hash(&mut hasher);
        add(&name, &content);
    }
    list.push_str("];\n");
    let version = variable("CARGO_PKG_VERSION");
    let version = format!("{version}-{:016x}", hasher.finish());
    let _ = writeln!(list, "pub(crate) const VERSION: &str = {version:?};");
    let out = PathBuf::from(variable("OUT_DIR"));
    let packed = stream.finish().expect("memory can be written");
    let written = fs::write(out.join("sources.gz"), packed);
    let written = written.and_then(|()| fs::write(out.join("sources.rs"), list));
    written.expect("cargo has made the folder");
}

fn variable(name: &str) -> String {
    std::env::var(name).expect("cargo sets it")
}

/// Reads a file, and makes cargo rerun this script when it changes.
fn read(file: &Path) -> String {
    println!("cargo::rerun-if-changed={}", file.display());
    fs::read_to_string(file)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", file.display()))
}

/// Lists the folders of the runtime and of all project crates that it needs.
fn closure(origin: &Origin) -> Vec<String> {
    let mut folders = vec![RUNTIME.to_owned()];
    let mut next = 0;
    while let Some(folder) = folders.get(next) {
        next += 1;
        let manifest = read(&origin.manifest(folder));
        for name in needed(&manifest) {
            let folder = format!("crates/{name}");
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
    }
    folders
}

/// Lists a manifest's dependencies on project crates, without their prefix.
fn needed(manifest: &str) -> Vec<&str> {
    let lines = manifest
        .lines()
        .skip_while(|line| *line != "[dependencies]");
    let lines = lines.skip(1).take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.strip_prefix("prophet-"));
    names
        .filter_map(|rest| rest.split(['.', ' ', '=']).next())
        .collect()
}

/// Adds the files in a folder under their names in the project, without tests.
fn walk(origin: &Origin, folder: &Path, name: &str, files: &mut Vec<(String, PathBuf)>) {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder).expect("it is there") {
        let path = entry.expect("it can be listed").path();
        let own = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if own != "tests" {
                walk(origin, &path, &format!("{name}/{own}"), files);
            }
        } else if let Some(own) = origin.name_of(&own) {
            files.push((format!("{name}/{own}"), path));
        }
    }
}

fn workspace(origin: &Origin, members: &[String]) -> String {
    let manifest = read(&origin.workspace());
    let lines = manifest.lines().map(|line| {
        let is_members = line.starts_with("members = ");
        let own = || format!("members = {members:?}");
        if is_members { own() } else { line.to_owned() }
    });
    lines.map(|line| line + "\n").collect()
}
