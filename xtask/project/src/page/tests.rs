use std::io::{Cursor, Read as _};
use std::process::Command;

use zip::ZipArchive;

use super::*;

fn archive() -> (PathBuf, ZipArchive<Cursor<Vec<u8>>>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let bytes = fs::read(root.join(PACKED)).expect("the page is part of the sources");
    (
        root.join(WEB),
        ZipArchive::new(Cursor::new(bytes)).expect("it is an archive"),
    )
}

#[test]
fn the_packed_page_is_of_these_sources() {
    let (web, archive) = archive();
    let comment = String::from_utf8_lossy(archive.comment()).into_owned();
    let sources = sources(&web).expect("they can be read");
    assert_eq!(comment, sources, "run `cargo xtask page`");
}

#[test]
fn npm_builds_the_packed_page_again() {
    let (web, mut archive) = archive();
    if !web.join("node_modules").exists() {
        return prophet_testing::skip("npm has not installed what the page is made of");
    }
    if !prophet_testing::has("npm", "--version") {
        return;
    }
    let folder = tempfile::tempdir().expect("there is room");
    let mut npm = Command::new("npm");
    npm.args([
        "run",
        "--silent",
        "build",
        "--",
        "--emptyOutDir",
        "--outDir",
    ]);
    let status = npm.arg(folder.path()).current_dir(&web).status();
    assert!(status.expect("npm starts").success());
    let built = files(folder.path(), &[]).expect("they can be read");
    let packed = (0..archive.len()).map(|index| {
        let mut file = archive.by_index(index).expect("it is a file");
        let mut content = Vec::new();
        file.read_to_end(&mut content).expect("it can be unpacked");
        (file.name().expect("it is UTF-8").into_owned(), content)
    });
    let packed: Vec<_> = packed.collect();
    let names = |files: &[(String, Vec<u8>)]| {
        let names = files.iter().map(|(name, _)| name.clone());
        names.collect::<Vec<_>>()
    };
    // It includes the license notices.
    assert!(names(&packed).contains(&"licenses.md".to_owned()));
    assert_eq!(names(&packed), names(&built), "run `cargo xtask page`");
    assert!(packed == built, "run `cargo xtask page`");
}
