use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::{MARKER, Mode, OutputError, Report, write_or_check};

fn generated(text: &str) -> String {
    format!("// {MARKER} from a.uml. Do not edit.\n{text}\n")
}

fn files(list: &[(&str, &str)]) -> BTreeMap<PathBuf, String> {
    list.iter()
        .map(|(path, text)| (PathBuf::from(path), generated(text)))
        .collect()
}

fn sample() -> BTreeMap<PathBuf, String> {
    files(&[
        ("Cargo.toml", "c"),
        ("src/lib.rs", "l"),
        ("src/main.rs", "m"),
    ])
}

fn paths(list: &[&str]) -> Vec<PathBuf> {
    list.iter().map(PathBuf::from).collect()
}

/// Creates a folder with the files of [`sample`] that seem to have been written some time ago.
fn written() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &sample()).unwrap();
    for path in sample().keys() {
        let file = fs::File::options()
            .append(true)
            .open(folder.path().join(path))
            .unwrap();
        file.set_modified(old_time()).unwrap();
    }
    folder
}

fn old_time() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000)
}

fn is_touched(path: &Path) -> bool {
    fs::metadata(path).unwrap().modified().unwrap() != old_time()
}

fn write(folder: &Path, files: &BTreeMap<PathBuf, String>) -> Result<Report, OutputError> {
    write_or_check(folder, files, Mode::Write, false)
}

fn check(folder: &Path, files: &BTreeMap<PathBuf, String>) -> Result<Report, OutputError> {
    write_or_check(folder, files, Mode::Check, false)
}

fn content(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut content = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else {
            let text = fs::read_to_string(&path).unwrap();
            content.insert(path.strip_prefix(folder).unwrap().to_owned(), text);
        }
    }
    content
}

#[test]
fn writes_a_new_folder_and_finds_it_fresh() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("new").join("crate");
    let all: Vec<PathBuf> = sample().into_keys().collect();
    assert_eq!(check(&target, &sample()).unwrap().missing, all);
    assert!(!target.exists());
    let report = write(&target, &sample()).unwrap();
    assert_eq!(report.missing, all);
    assert_eq!(content(&target), sample());
    assert!(check(&target, &sample()).unwrap().is_fresh());
    assert!(write(&target, &sample()).unwrap().is_fresh());
}

#[test]
fn touches_what_changed_alone() {
    let folder = written();
    let mut new = sample();
    new.insert("src/lib.rs".into(), generated("other"));
    let report = write(folder.path(), &new).unwrap();
    let expected = Report {
        stale: paths(&["src/lib.rs"]),
        ..Report::default()
    };
    assert_eq!(report, expected);
    assert_eq!(content(folder.path()), new);
    assert!(is_touched(&folder.path().join("src/lib.rs")));
    assert!(!is_touched(&folder.path().join("src/main.rs")));
    assert!(!is_touched(&folder.path().join("Cargo.toml")));
}

#[test]
fn line_ends_are_no_difference() {
    let folder = written();
    let path = folder.path().join("src/lib.rs");
    fs::write(&path, generated("l").replace('\n', "\r\n")).unwrap();
    assert!(check(folder.path(), &sample()).unwrap().is_fresh());
    assert!(write(folder.path(), &sample()).unwrap().is_fresh());
    assert!(fs::read_to_string(&path).unwrap().contains("\r\n"));
    fs::write(&path, generated("l").replace("l\n", "\rl\n")).unwrap();
    assert_eq!(
        check(folder.path(), &sample()).unwrap().stale,
        paths(&["src/lib.rs"])
    );
}

#[test]
fn check_lists_every_difference_and_changes_nothing() {
    let folder = written();
    let source = folder.path().join("src");
    fs::remove_file(source.join("main.rs")).unwrap();
    fs::write(source.join("lib.rs"), generated("edited")).unwrap();
    fs::write(source.join("old.rs"), generated("old")).unwrap();
    fs::write(source.join("older.rs"), generated("older")).unwrap();
    fs::write(folder.path().join("Cargo.toml"), "by hand").unwrap();
    let before = content(folder.path());
    let report = check(folder.path(), &sample()).unwrap();
    assert_eq!(
        report.to_string(),
        "missing: src/main.rs\nstale: Cargo.toml\nstale: src/lib.rs\n\
         superfluous: src/old.rs\nsuperfluous: src/older.rs"
    );
    assert!(!report.is_fresh());
    assert_eq!(content(folder.path()), before);
}

#[test]
fn removes_generated_files_that_are_no_longer_made() {
    let folder = written();
    let source = folder.path().join("src");
    fs::create_dir(source.join("deep")).unwrap();
    fs::write(source.join("deep/kept.rs"), generated("too deep")).unwrap();
    fs::write(folder.path().join("kept.rs"), generated("not in src")).unwrap();
    fs::write(source.join("kept.rs"), "// by hand").unwrap();
    fs::write(source.join("old.rs"), generated("old")).unwrap();
    let report = write(folder.path(), &sample()).unwrap();
    let expected = Report {
        superfluous: paths(&["src/old.rs"]),
        ..Report::default()
    };
    assert_eq!(report, expected);
    let left: Vec<PathBuf> = content(folder.path()).into_keys().collect();
    let expected = [
        "Cargo.toml",
        "kept.rs",
        "src/deep/kept.rs",
        "src/kept.rs",
        "src/lib.rs",
        "src/main.rs",
    ];
    assert_eq!(left, paths(&expected));
}

#[test]
fn a_file_that_was_not_generated_stays_unless_forced() {
    let folder = written();
    let path = folder.path().join("src/main.rs");
    let late = format!("1\n2\n3\n// {MARKER}\n");
    for text in ["fn main() {}\n", "", &late] {
        fs::write(&path, text).unwrap();
        fs::remove_file(folder.path().join("Cargo.toml")).ok();
        let before = content(folder.path());
        let error = write(folder.path(), &sample()).unwrap_err();
        let OutputError::Foreign(refused) = &error else {
            panic!("{error:?}");
        };
        assert_eq!(*refused, std::slice::from_ref(&path));
        let message = error.to_string();
        assert!(message.contains(&path.display().to_string()), "{message}");
        assert!(message.contains("--force"), "{message}");
        assert_eq!(content(folder.path()), before);
    }
    write_or_check(folder.path(), &sample(), Mode::Write, true).unwrap();
    assert_eq!(content(folder.path()), sample());
}

#[test]
fn bytes_that_are_no_text_are_a_foreign_file() {
    let folder = written();
    let path = folder.path().join("src/main.rs");
    fs::write(&path, [0xff, 0xfe, 0]).unwrap();
    let error = write(folder.path(), &sample()).unwrap_err();
    assert!(matches!(error, OutputError::Foreign(_)), "{error:?}");
    assert_eq!(fs::read(&path).unwrap(), [0xff, 0xfe, 0]);
}

#[test]
fn paths_that_lead_out_are_refused() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("folder");
    for path in [
        "../x.rs",
        "src/../../x.rs",
        "src/..",
        "/tmp/x.rs",
        "..",
        ".",
        "",
    ] {
        let error = write(&folder, &files(&[("src/lib.rs", "l"), (path, "x")])).unwrap_err();
        assert!(
            matches!(error, OutputError::Outside(_)),
            "{path}: {error:?}"
        );
    }
    assert!(content(outer.path()).is_empty());
}

#[test]
#[cfg(unix)]
fn symbolic_links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("lib.rs"), generated("elsewhere")).unwrap();
    let before = content(elsewhere.path());
    let refuse = |folder: &Path, link: &str| {
        for mode in [Mode::Write, Mode::Check] {
            let error = write_or_check(folder, &sample(), mode, true).unwrap_err();
            let OutputError::Symlink(path) = &error else {
                panic!("{error:?}");
            };
            assert_eq!(*path, folder.join(link));
        }
    };

    let folder = tempfile::tempdir().unwrap();
    symlink(elsewhere.path(), folder.path().join("src")).unwrap();
    refuse(folder.path(), "src");

    let folder = written();
    let target = folder.path().join("src/main.rs");
    fs::remove_file(&target).unwrap();
    symlink(elsewhere.path().join("lib.rs"), &target).unwrap();
    refuse(folder.path(), "src/main.rs");
    fs::remove_file(&target).unwrap();
    symlink("nowhere", &target).unwrap();
    refuse(folder.path(), "src/main.rs");

    // A stale link to a generated file must not be removed, and neither must that file.
    let folder = written();
    let old = folder.path().join("src/old.rs");
    symlink(elsewhere.path().join("lib.rs"), &old).unwrap();
    assert!(write(folder.path(), &sample()).unwrap().is_fresh());
    assert!(old.exists());

    // The output folder itself can be a link, because the user chose it.
    let folder = written();
    let link = elsewhere.path().join("link");
    symlink(folder.path(), &link).unwrap();
    assert!(write(&link, &sample()).unwrap().is_fresh());
    fs::remove_file(link).unwrap();
    assert_eq!(content(elsewhere.path()), before);
}

#[test]
fn folders_and_files_in_each_others_place_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("src/lib.rs")).unwrap();
    let error = write(folder.path(), &sample()).unwrap_err();
    assert!(matches!(&error, OutputError::NotAFile(path) if path.ends_with("src/lib.rs")));

    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("src"), "a file").unwrap();
    let error = write(folder.path(), &sample()).unwrap_err();
    assert!(matches!(&error, OutputError::NotAFolder(path) if path.ends_with("src")));
    let error = write(&folder.path().join("src"), &sample()).unwrap_err();
    assert!(matches!(&error, OutputError::NotAFolder(path) if path.ends_with("src")));
    assert_eq!(content(folder.path()).len(), 1);
}

#[test]
fn a_read_only_file_that_would_change_is_an_error() {
    let folder = written();
    let path = folder.path().join("src/lib.rs");
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    assert!(write(folder.path(), &sample()).unwrap().is_fresh());
    let mut new = sample();
    new.insert("Cargo.toml".into(), generated("other"));
    new.insert("src/lib.rs".into(), generated("other"));
    let error = write(folder.path(), &new).unwrap_err();
    assert!(
        matches!(&error, OutputError::ReadOnly(refused) if *refused == path),
        "{error:?}"
    );
    assert_eq!(content(folder.path()), sample());
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_takes_no_files_is_an_error_with_its_path() {
    let error = write(Path::new("/proc/self/prophet"), &sample()).unwrap_err();
    assert!(matches!(error, OutputError::Io { .. }), "{error:?}");
    let message = error.to_string();
    assert!(message.starts_with("cannot create /proc/self/prophet"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_leaves_old_files_whole() {
    const FOLDER: &str = "PROPHET_TEST_FOLDER";
    let mut new = files(&[("Cargo.toml", "new"), ("src/lib.rs", "new")]);
    new.insert("src/main.rs".into(), generated(&"x".repeat(1_000_000)));
    if let Some(folder) = std::env::var_os(FOLDER) {
        let error = write(Path::new(&folder), &new).unwrap_err();
        let path = Path::new(&folder).join("src/main.rs");
        let expected = format!("cannot write {}: File too large", path.display());
        assert!(error.to_string().starts_with(&expected), "{error}");
        return;
    }
    // A limit on the file size simulates a full disk. It needs its own process.
    let folder = written();
    let output = std::process::Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "output::tests::a_full_disk_leaves_old_files_whole",
        ])
        .env(FOLDER, folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}"
    );
    assert_eq!(content(folder.path()), sample());
}

#[test]
fn a_file_cannot_be_a_folder_too() {
    let folder = written();
    let new = files(&[("Cargo.toml", "new"), ("a", "a"), ("a/b", "b")]);
    let error = write(folder.path(), &new).unwrap_err();
    assert!(
        matches!(&error, OutputError::NotAFolder(path) if path.ends_with("a")),
        "{error:?}"
    );
    assert_eq!(content(folder.path()), sample());
}

#[test]
#[cfg(unix)]
fn access_rights_are_those_of_any_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = written();
    let plain = folder.path().join("plain");
    fs::write(&plain, "").unwrap();
    let path = folder.path().join("src/lib.rs");
    assert_eq!(mode(&path), mode(&plain));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let mut new = sample();
    new.insert("src/lib.rs".into(), generated("other"));
    write(folder.path(), &new).unwrap();
    assert_eq!(mode(&path), 0o640);
}

#[test]
fn a_text_without_marker_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut new = sample();
    new.insert("src/lib.rs".into(), format!("1\n2\n3\n// {MARKER}\n"));
    let error = write(folder.path(), &new).unwrap_err();
    assert!(matches!(error, OutputError::NoMarker(_)), "{error:?}");
    assert!(content(folder.path()).is_empty());
}
