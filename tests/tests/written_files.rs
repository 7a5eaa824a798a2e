//! Tests the contract of `crates/files` for output paths that users choose: every option, as root
//! and as another user.
#![cfg(unix)]

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use prophet_testing::{assert_says, copy_program, words, write_script};
use prophet_tests::built::{built, xtask};
use prophet_tests::root;

/// User and group `nobody` on Linux.
const NOBODY: u32 = 65_534;

/// Options that write files, and calls with them. `{}` is the path to write; `TRACE` and `RUNS` are
/// inputs.
const OPTIONS: &str = "\
run --record: explained --record {}
run --report: explained --report {}
run --trace: explained --trace {}
trace to perfetto: performance-prophet trace TRACE --to perfetto --out {}
trace to chrome: performance-prophet trace TRACE --to chrome --out {}
trace to paje: performance-prophet trace TRACE --to paje --out {}
trace to csv: performance-prophet trace TRACE --to csv --out {}
trace to parquet: performance-prophet trace TRACE --to parquet --out {}
trace to pti-xml: performance-prophet trace TRACE --to pti-xml --out {}
report --out: performance-prophet report TRACE --out {}
runs export --out: performance-prophet runs --repository RUNS export --format csv --out {}";

fn options() -> impl Iterator<Item = (&'static str, &'static str)> {
    OPTIONS.lines().filter_map(|line| line.split_once(": "))
}

/// Programs and their inputs, in a folder that other users can access.
struct Stage {
    folder: tempfile::TempDir,
}

impl Stage {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("there is room");
        let all = Permissions::from_mode(0o755);
        fs::set_permissions(folder.path(), all).expect("it is ours");
        let stage = Self { folder };
        let explained = Path::new(env!("CARGO_BIN_EXE_explained"));
        copy_program(explained, &stage.path("explained"));
        let program = "performance-prophet";
        copy_program(&built(program), &stage.path(program));
        let result = stage.path("RESULT.json");
        let trace = stage.path("TRACE");
        let made = Command::new(stage.path("explained"))
            .args(["--format", "json", "--trace"])
            .arg(&trace)
            .stdout(File::create(&result).expect("there is room"))
            .status();
        assert!(made.expect("it was built").success());
        let kept = Command::new(stage.path("performance-prophet"))
            .arg("runs")
            .arg("--repository")
            .arg(stage.path("RUNS"))
            .arg("add")
            .arg(&result)
            .output();
        assert!(kept.expect("it was built").status.success());
        stage
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs a call that writes to a path, as this user.
    fn run(&self, call: &str, out: &Path, user: User) -> Output {
        let words = words(call);
        let mut command = self.command(&words[0], user);
        for word in &words[1..] {
            match word.as_str() {
                "{}" => command.arg(out),
                "TRACE" | "RUNS" => command.arg(self.path(word)),
                word => command.arg(word),
            };
        }
        command.output().expect("it can be started")
    }

    fn command(&self, program: &str, user: User) -> Command {
        let program = self.path(program);
        match user {
            User::Own => Command::new(program),
            User::Nobody => {
                let mut command = Command::new("setpriv");
                let id = NOBODY.to_string();
                command.args(["--reuid", &id, "--regid", &id, "--clear-groups"]);
                command.arg(program);
                command
            }
        }
    }

    /// Returns an empty folder that belongs to the user.
    fn empty(&self, user: User) -> Place {
        let folder = tempfile::tempdir_in(self.folder.path()).expect("there is room");
        if user == User::Nobody {
            chown(folder.path(), Some(NOBODY), Some(NOBODY)).expect("root may");
        }
        Place { folder, user }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum User {
    /// The user who runs the tests.
    Own,
    Nobody,
}

fn users() -> Vec<User> {
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
    let setpriv = Command::new("setpriv").arg("--version").output();
    if is_root && setpriv.is_ok() {
        return vec![User::Own, User::Nobody];
    }
    eprintln!("skipped in part: only root can be another user, by `setpriv`");
    vec![User::Own]
}

struct Place {
    folder: tempfile::TempDir,
    user: User,
}

impl Place {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file that belongs to the user. Returns its path.
    fn file(&self, name: &str, mode: u32) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, "old").expect("there is room");
        fs::set_permissions(&path, Permissions::from_mode(mode)).expect("it is ours");
        if self.user == User::Nobody {
            chown(&path, Some(NOBODY), Some(NOBODY)).expect("root may");
        }
        path
    }

    /// Makes a device, or returns `None` if that isn't allowed.
    fn device(&self, name: &str, minor: &str) -> Option<PathBuf> {
        let path = self.path(name);
        let made = Command::new("mknod")
            .args(["-m", "666"])
            .arg(&path)
            .args(["c", "1", minor])
            .output();
        let made = made.is_ok_and(|made| made.status.success());
        if made && File::options().write(true).open(&path).is_ok() {
            return Some(path);
        }
        eprintln!("skipped: no device can be made here");
        None
    }

    /// Asserts that the folder contains exactly these files.
    fn has(&self, names: &[&str], what: &str) {
        let entries = fs::read_dir(self.folder.path()).expect("a folder");
        let mut found: Vec<String> = entries
            .map(|entry| {
                entry
                    .expect("a name")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        found.sort();
        assert_eq!(found, names, "{what}");
    }
}

fn done(output: &Output, what: &str) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{what}: {message}");
}

/// Asserts that the exit code is 1, and that one line reports the error.
fn refused(output: &Output, what: &str) {
    refused_with(1, output, what);
}

fn refused_with(code: i32, output: &Output, what: &str) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{what}: {message}");
    assert!(message.starts_with("error: "), "{what}: {message}");
    assert_eq!(message.lines().count(), 1, "{what}: {message}");
}

/// Calls `check` with each option and user. The folder is empty and belongs to the user.
fn for_each(check: impl Fn(&Stage, &str, &Place, &str)) {
    let stage = Stage::new();
    for user in users() {
        for (option, call) in options() {
            let what = format!("{option} as {user:?}");
            check(&stage, call, &stage.empty(user), &what);
        }
    }
}

#[test]
fn a_device_stays_a_device() {
    for_each(|stage, call, place, what| {
        let Some(path) = place.device("null", "3") else {
            return;
        };
        done(&stage.run(call, &path, place.user), what);
        let kind = fs::metadata(&path).expect("it is there").file_type();
        assert!(kind.is_char_device(), "{what}");
        place.has(&["null"], what);
    });
}

#[test]
fn a_full_device_is_an_error_and_stays_a_device() {
    for_each(|stage, call, place, what| {
        let Some(path) = place.device("full", "7") else {
            return;
        };
        refused(&stage.run(call, &path, place.user), what);
        let kind = fs::metadata(&path).expect("it is there").file_type();
        assert!(kind.is_char_device(), "{what}");
        place.has(&["full"], what);
    });
}

#[test]
fn a_pipe_gets_what_is_written() {
    for_each(|stage, call, place, what| {
        let path = place.path("pipe");
        let made = Command::new("mkfifo")
            .args(["-m", "666"])
            .arg(&path)
            .status();
        assert!(made.expect("there is mkfifo").success());
        let there = path.clone();
        let reader = std::thread::spawn(move || fs::read(there).expect("a pipe"));
        done(&stage.run(call, &path, place.user), what);
        assert!(reader.join().expect("it has read").len() > 10, "{what}");
        assert!(
            fs::metadata(&path)
                .expect("it is there")
                .file_type()
                .is_fifo()
        );
        place.has(&["pipe"], what);
    });
}

#[test]
fn a_link_stays_and_its_target_is_replaced() {
    for_each(|stage, call, place, what| {
        let (path, target) = (place.path("link"), place.file("target", 0o644));
        symlink("target", &path).expect("a link can be made");
        done(&stage.run(call, &path, place.user), what);
        assert!(path.is_symlink(), "{what}");
        assert!(fs::read(&target).expect("it is there").len() > 10, "{what}");
        place.has(&["link", "target"], what);
    });
}

#[test]
fn standard_output_is_written_to_whatever_it_is() {
    for_each(|stage, call, place, what| {
        let plain = place.path("plain");
        let printed = stage.run(call, &plain, place.user).stdout;
        let length = fs::metadata(&plain).expect("it is there").len();
        // Writes to a pipe and then to a file. The results may only differ in times.
        let piped = stage.run(call, Path::new("/dev/stdout"), place.user);
        done(&piped, what);
        let both = printed.len() as u64 + length;
        assert!(piped.stdout.len() as u64 > both - both / 10 - 20, "{what}");
        let file = place.file("file", 0o644);
        let mut command = stage.command("explained", place.user);
        command.args(["--record", "/dev/stdout"]);
        command.stdout(File::create(&file).expect("it is ours"));
        assert!(command.status().expect("it can be started").success());
        let text = fs::read_to_string(&file).expect("it is text");
        assert!(
            text.starts_with("Predicted time") && text.trim_end().ends_with('}'),
            "{text}"
        );
    });
}

#[test]
fn a_file_keeps_its_access_rights_and_its_owner() {
    for_each(|stage, call, place, what| {
        let path = place.file("file", 0o640);
        let before = fs::metadata(&path).expect("it is there");
        done(&stage.run(call, &path, place.user), what);
        let after = fs::metadata(&path).expect("it is there");
        assert!(after.len() > 10, "{what}");
        assert_eq!(after.mode(), before.mode(), "{what}");
        assert_eq!(
            (after.uid(), after.gid()),
            (before.uid(), before.gid()),
            "{what}"
        );
        place.has(&["file"], what);
    });
}

#[test]
fn a_new_file_has_the_access_rights_of_any_other() {
    for_each(|stage, call, place, what| {
        let (path, other) = (place.path("new"), stage.path("other"));
        File::create(&other).expect("there is room");
        done(&stage.run(call, &path, place.user), what);
        let mode = |path: &Path| fs::metadata(path).expect("it is there").mode();
        assert_eq!(mode(&path), mode(&other), "{what}");
        place.has(&["new"], what);
    });
}

#[test]
fn what_may_not_be_written_is_refused_and_left() {
    for_each(|stage, call, place, what| {
        if place.user == User::Own && users().len() > 1 {
            // Root has all permissions.
            return;
        }
        let path = place.file("file", 0o444);
        refused(&stage.run(call, &path, place.user), what);
        fs::set_permissions(&path, Permissions::from_mode(0o644)).expect("it is ours");
        let closed = Permissions::from_mode(0o555);
        fs::set_permissions(place.folder.path(), closed).expect("it is ours");
        for name in ["file", "new"] {
            refused(&stage.run(call, &place.path(name), place.user), what);
        }
        assert_eq!(fs::read(&path).expect("it is there"), b"old", "{what}");
        place.has(&["file"], what);
    });
}

#[test]
fn a_folder_and_a_path_to_nowhere_are_refused() {
    for_each(|stage, call, place, what| {
        refused(&stage.run(call, place.folder.path(), place.user), what);
        // A run checks the names of its outputs before it starts.
        let code = if call.starts_with("explained ") { 2 } else { 1 };
        let nowhere = stage.run(call, &place.path("no/such"), place.user);
        refused_with(code, &nowhere, what);
        place.has(&[], what);
    });
}

/// A limit on file sizes has the same effect as a full disk.
#[test]
fn what_finds_no_room_leaves_what_was_there() {
    for_each(|stage, call, place, what| {
        let path = place.file("file", 0o644);
        let (program, arguments) = call.split_once(' ').expect("a program with arguments");
        let program = stage.path(program);
        let text = format!(
            "#!/bin/bash\ntrap '' XFSZ; ulimit -f 0; exec {} \"$@\" < /dev/null > >(cat)\n",
            program.display()
        );
        write_script(&stage.path("limited.sh"), &text);
        let call = format!("limited.sh {arguments}");
        refused(&stage.run(&call, &path, place.user), what);
        assert_eq!(fs::read(&path).expect("it is there"), b"old", "{what}");
        place.has(&["file"], what);
    });
}

/// Checks that output never overwrites an input file, even under another name.
#[test]
fn an_input_is_never_written_over() {
    let stage = Stage::new();
    for (option, call) in options().filter(|it| !it.1.starts_with("explained")) {
        let input = if call.contains("RUNS") {
            "RUNS"
        } else {
            "TRACE"
        };
        let input = stage.path(input);
        let before = fs::read(&input).expect("it is there");
        let (hard, soft) = (stage.path("hard"), stage.path("soft"));
        fs::hard_link(&input, &hard).expect("a link can be made");
        symlink(&input, &soft).expect("a link can be made");
        for path in [&input, &hard, &soft] {
            let output = stage.run(call, path, User::Own);
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{option}: {message}");
            assert!(message.starts_with("error: "), "{option}: {message}");
            assert_says(&message, &["which this command reads"]);
            assert_eq!(message.trim_end().lines().count(), 2, "{option}: {message}");
            assert!(
                fs::read(&input).expect("it is there") == before,
                "{}",
                option
            );
        }
        fs::remove_file(hard).expect("it is there");
        fs::remove_file(soft).expect("it is there");
    }
}

#[test]
fn two_outputs_cannot_be_one_file() {
    let stage = Stage::new();
    let place = stage.empty(User::Own);
    let machine = place.file("machine.toml", 0o644);
    fs::write(&machine, "name = \"m\"\nsource = \"a test\"\n").expect("there is room");
    let (one, dotted) = (place.path("one"), place.path("./one"));
    let flags: [(&str, &Path, &str, &Path); 4] = [
        ("--trace", &one, "--report", &dotted),
        ("--trace", &one, "--record", &one),
        ("--report", &one, "--record", &dotted),
        ("--machine", &machine, "--record", &machine),
    ];
    for (first, path, second, same) in flags {
        let output = Command::new(stage.path("explained"))
            .args([
                first.as_ref(),
                path.as_os_str(),
                second.as_ref(),
                same.as_os_str(),
            ])
            .output()
            .expect("it can be started");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(
            message.contains(&format!("`{second}`")),
            "{first}: {message}"
        );
        place.has(&["machine.toml"], second);
    }
    // All of them may write to the null device.
    let null = ["--trace", "/dev/stdout", "--record", "/dev/stdout"];
    let output = Command::new(stage.path("explained")).args(null).output();
    done(&output.expect("it can be started"), "standard output twice");
}

/// Checks that a repository is never replaced: SQLite writes to the existing file.
#[test]
fn a_repository_stays_what_it_is() {
    let stage = Stage::new();
    let add = |path: &Path| {
        Command::new(stage.path("performance-prophet"))
            .arg("runs")
            .arg("--repository")
            .arg(path)
            .arg("add")
            .arg(stage.path("RESULT.json"))
            .stdin(Stdio::null())
            .output()
            .expect("it can be started")
    };
    let place = stage.empty(User::Own);
    if let Some(path) = place.device("null", "3") {
        refused(&add(&path), "a device");
        assert!(
            fs::metadata(&path)
                .expect("it is there")
                .file_type()
                .is_char_device()
        );
        fs::remove_file(path).expect("it is there");
    }
    let pipe = place.path("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .expect("there is mkfifo")
            .success()
    );
    refused(&add(&pipe), "a pipe");
    assert!(
        fs::metadata(&pipe)
            .expect("it is there")
            .file_type()
            .is_fifo()
    );
    fs::remove_file(pipe).expect("it is there");
    let (file, link) = (place.path("runs"), place.path("link"));
    done(&add(&file), "a new file");
    fs::set_permissions(&file, Permissions::from_mode(0o640)).expect("it is ours");
    symlink("runs", &link).expect("a link can be made");
    done(&add(&link), "a link");
    assert!(link.is_symlink());
    assert_eq!(
        fs::metadata(&file).expect("it is there").mode() & 0o777,
        0o640
    );
    place.has(&["link", "runs"], "two runs");
}

/// Checks that `gen --out` only overwrites generated files.
#[test]
fn a_crate_is_written_over_nothing_else() {
    let stage = Stage::new();
    let gen_crate = |out: &Path| {
        xtask(&root())
            .args(["gen", "sample-models/sample.uml", "--force", "--out"])
            .arg(out)
            .output()
            .expect("it can be started")
    };
    let place = stage.empty(User::Own);
    let out = place.path("crate");
    done(&gen_crate(&out), "a new folder");
    let library = out.join("src/lib.rs");
    let text = fs::read(&library).expect("it is there");
    fs::set_permissions(&library, Permissions::from_mode(0o640)).expect("it is ours");
    fs::write(&library, [&text[..], b"// changed\n"].concat()).expect("it is ours");
    let link = place.path("link");
    symlink("crate", &link).expect("a link can be made");
    done(&gen_crate(&link), "a link to the folder");
    assert!(link.is_symlink());
    assert_eq!(fs::read(&library).expect("it is there"), text);
    assert_eq!(
        fs::metadata(&library).expect("it is there").mode() & 0o777,
        0o640
    );
    // Links, and anything that isn't a file, are rejected.
    fs::remove_file(&library).expect("it is there");
    symlink("main.rs", &library).expect("a link can be made");
    refused(&gen_crate(&out), "a link");
    fs::remove_file(&library).expect("it is there");
    if let Some(device) = place.device("null", "3") {
        refused(&gen_crate(&device), "a device");
        fs::rename(&device, &library).expect("it can be moved");
        refused(&gen_crate(&out), "a device in the folder");
        assert!(
            fs::metadata(&library)
                .expect("it is there")
                .file_type()
                .is_char_device()
        );
    }
    place.has(&["crate", "link"], "what is there");
}
