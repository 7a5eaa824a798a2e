//! Packs the runtime's sources, so that the program can compile crates of models anywhere, and
//! names the commit in its version.

mod commit;

use std::fmt::Write as _;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

/// Crate that the generated crates of models depend on.
const RUNTIME: &str = "prophet-runtime";
/// Another file that commands need: the versions of libraries.
const VERSIONS: &str = "Cargo.lock";

fn main() {
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR")).join("../..");
    println!(
        "cargo::rustc-env=PROPHET_VERSION={}",
        commit::version(&root)
    );
    let crates = closure(&root);
    let mut paths: Vec<PathBuf> = vec![PathBuf::from(VERSIONS)];
    for name in &crates {
        walk(&root, Path::new(name), &mut paths);
    }
    paths.sort();

    let manifest = workspace(&root, &crates);
    let mut hasher = DefaultHasher::new();
    manifest.hash(&mut hasher);
    // One stream for all: a fifth of their size.
    let mut stream = GzEncoder::new(Vec::new(), Compression::best());
    let mut list = "const FILES: &[(&str, usize)] = &[\n".to_owned();
    let mut add = |name: &str, content: &[u8]| {
        let _ = writeln!(list, "    ({name:?}, {}),", content.len());
        stream.write_all(content).expect("memory can be written");
    };
    add("Cargo.toml", manifest.as_bytes());
    for path in paths {
        let file = root.join(&path);
        println!("cargo::rerun-if-changed={}", file.display());
        let name = path.to_str().expect("our files have names in UTF-8");
        let content = fs::read(&file).expect("it was listed");
        (name, &content).hash(&mut hasher);
        add(name, &content);
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

/// Folders of the runtime and of all crates of the project that it needs.
fn closure(root: &Path) -> Vec<String> {
    let mut folders = vec![RUNTIME.to_owned()];
    let mut next = 0;
    while let Some(folder) = folders.get(next) {
        next += 1;
        let manifest = root.join(folder).join("Cargo.toml");
        println!("cargo::rerun-if-changed={}", manifest.display());
        let manifest = fs::read_to_string(manifest).expect("each crate has a manifest");
        for name in needed(&manifest) {
            let folder = format!("crates/{name}");
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
    }
    folders
}

/// The crates of the project that a manifest has among its dependencies, without their prefix.
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

/// Adds the files of a folder, without tests.
fn walk(root: &Path, folder: &Path, paths: &mut Vec<PathBuf>) {
    println!("cargo::rerun-if-changed={}", root.join(folder).display());
    for entry in fs::read_dir(root.join(folder)).expect("it is there") {
        let entry = entry.expect("it can be listed");
        let path = folder.join(entry.file_name());
        if !entry.path().is_dir() {
            paths.push(path);
        } else if !path.ends_with("tests") {
            walk(root, &path, paths);
        }
    }
}

/// The manifest of the workspace, with these members alone.
fn workspace(root: &Path, members: &[String]) -> String {
    let manifest = root.join("Cargo.toml");
    println!("cargo::rerun-if-changed={}", manifest.display());
    let manifest = fs::read_to_string(manifest).expect("it is there");
    let lines = manifest.lines().map(|line| {
        let is_members = line.starts_with("members = ");
        let own = || format!("members = {members:?}");
        if is_members { own() } else { line.to_owned() }
    });
    lines.map(|line| line + "\n").collect()
}
