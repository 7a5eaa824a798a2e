//! Tests the promises of the crate, one after another.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use prophet_files::{Output, is_same_file, write};
use tempfile::tempdir;

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

fn count(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

fn run(program: &str, arguments: &[&str]) -> bool {
    let output = Command::new(program).args(arguments).output();
    output.is_ok_and(|output| output.status.success())
}

#[test]
fn a_file_is_there_whole_or_not_at_all() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("out");
    let mut output = Output::create(&path).unwrap();
    output.write_all(b"half").unwrap();
    drop(output);
    assert_eq!(count(folder.path()), 0);
    write(&path, "old").unwrap();
    let mut output = Output::create(&path).unwrap();
    output.write_all(b"new").unwrap();
    assert_eq!((text(&path).as_str(), count(folder.path())), ("old", 1));
    let mut whole = output.commit().unwrap();
    assert_eq!((text(&path).as_str(), count(folder.path())), ("new", 1));
    std::io::Seek::rewind(&mut whole).unwrap();
    let mut read = String::new();
    whole.read_to_string(&mut read).unwrap();
    assert_eq!(read, "new");
}

#[test]
fn links_stay_and_what_they_lead_to_is_replaced() {
    let folder = tempdir().unwrap();
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    symlink("second", &first).unwrap();
    symlink("inner/file", &second).unwrap();
    // The link first leads to a file that doesn't exist, and then to one that does.
    for content in ["made", "replaced"] {
        write(&first, content).unwrap();
        assert_eq!(text(&inner.join("file")), content);
        assert!(first.is_symlink() && second.is_symlink());
        assert_eq!(count(&inner), 1);
    }
    symlink("round", folder.path().join("round")).unwrap();
    write(&folder.path().join("round"), "").unwrap_err();
}

#[test]
fn access_rights_stay_and_new_files_follow_the_umask() {
    let folder = tempdir().unwrap();
    let (path, plain) = (folder.path().join("out"), folder.path().join("plain"));
    fs::File::create(&plain).unwrap();
    write(&path, "").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o7777;
    assert_eq!(mode(&path), mode(&plain));
    for kept in [0o640, 0o600, 0o666] {
        fs::set_permissions(&path, Permissions::from_mode(kept)).unwrap();
        write(&path, "new").unwrap();
        assert_eq!(mode(&path), kept);
    }
    if std::os::unix::fs::chown(&path, Some(1), Some(1)).is_ok() {
        write(&path, "new").unwrap();
        let metadata = fs::metadata(&path).unwrap();
        assert_eq!((metadata.uid(), metadata.gid()), (1, 1));
    }
}

#[test]
fn devices_are_written_through() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("null");
    if !run("mknod", &[path.to_str().unwrap(), "c", "1", "3"]) {
        eprintln!("skipped: no device can be made here");
        return;
    }
    let link = folder.path().join("link");
    symlink("null", &link).unwrap();
    for path in [&path, &link] {
        write(path, "nothing").unwrap();
        let mut output = Output::spooled(path).unwrap();
        output.write_all(b"nothing").unwrap();
        output.commit().unwrap();
    }
    assert!(fs::metadata(&path).unwrap().file_type().is_char_device());
    assert!(link.is_symlink());
    assert_eq!(count(folder.path()), 2);
}

#[test]
fn a_pipe_gets_what_is_whole() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("pipe");
    assert!(run("mkfifo", &[path.to_str().unwrap()]));
    let there = path.clone();
    let reader = std::thread::spawn(move || fs::read_to_string(there).unwrap());
    let mut output = Output::spooled(&path).unwrap();
    output.write_all(b"given up").unwrap();
    drop(output);
    let mut output = Output::spooled(&path).unwrap();
    output.write_all(b"whole").unwrap();
    output.commit().unwrap();
    assert_eq!(reader.join().unwrap(), "whole");
    assert!(fs::metadata(&path).unwrap().file_type().is_fifo());
}

#[test]
fn a_full_device_is_an_error() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        eprintln!("skipped: there is no /dev/full");
        return;
    }
    write(full, "text").unwrap_err();
    assert!(fs::metadata(full).unwrap().file_type().is_char_device());
}

#[test]
fn folders_and_sockets_are_refused() {
    let folder = tempdir().unwrap();
    write(folder.path(), "text").unwrap_err();
    write(&folder.path().join("no/such"), "text").unwrap_err();
    let path = folder.path().join("socket");
    let _socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
    write(&path, "text").unwrap_err();
    assert!(fs::metadata(&path).unwrap().file_type().is_socket());
}

#[test]
fn one_file_by_two_names_is_the_same() {
    let folder = tempdir().unwrap();
    let (path, hard) = (folder.path().join("out"), folder.path().join("hard"));
    write(&path, "text").unwrap();
    fs::hard_link(&path, &hard).unwrap();
    symlink("hard", folder.path().join("soft")).unwrap();
    assert!(is_same_file(&path, &hard));
    assert!(is_same_file(&folder.path().join("soft"), &path));
    write(&hard, "other").unwrap();
    assert!(!is_same_file(&path, &hard));
    assert_eq!(text(&path), "text");
    let none = folder.path().join("none");
    assert!(!is_same_file(&path, &none));
    assert!(is_same_file(&none, &folder.path().join("./none")));
    assert!(!is_same_file(
        Path::new("/dev/null"),
        Path::new("/dev/null")
    ));
}
