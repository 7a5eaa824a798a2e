use super::*;

/// A cache in a temporary folder, filled with crates and their build products.
struct Filled {
    folder: tempfile::TempDir,
    cache: ProgramCache,
}

impl Filled {
    fn new(crates: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let cache = ProgramCache::at(folder.path().join("cache"));
        let filled = Self { folder, cache };
        for (number, name) in crates.iter().enumerate() {
            filled.file(&format!("cache/crates/{name}/src/lib.rs"), 100);
            let program = filled.file(&format!("cache/target/v1/release/{name}"), 1_000);
            filled.file(
                &format!("cache/target/v1/release/deps/lib{name}-12ab.rlib"),
                10,
            );
            let key = Key(number as u64);
            filled.cache.remember(key, &program);
            let record = File::options()
                .append(true)
                .open(filled.cache.record(key))
                .unwrap();
            record
                .set_modified(SystemTime::UNIX_EPOCH + hours(number as u64 + 1))
                .unwrap();
        }
        filled
    }

    fn target(&self) -> PathBuf {
        self.cache.target().join("v1")
    }

    fn file(&self, path: &str, bytes: usize) -> PathBuf {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, vec![b'x'; bytes]).unwrap();
        path
    }

    fn names(&self) -> Vec<String> {
        let list = self.cache.list(&self.target());
        list.into_iter().map(|kept| kept.name).collect()
    }
}

fn hours(number: u64) -> std::time::Duration {
    std::time::Duration::from_secs(number * 3600)
}

#[test]
fn a_crate_is_listed_with_what_was_compiled_of_it() {
    let filled = Filled::new(&["farm_1", "farm_10"]);
    let list = filled.cache.list(&filled.target());
    assert_eq!(list.len(), 2);
    assert_eq!((list[0].name.as_str(), list[0].bytes), ("farm_1", 1_110));
    assert_eq!((list[1].name.as_str(), list[1].bytes), ("farm_10", 1_110));
    assert_eq!(list[1].used, Some(SystemTime::UNIX_EPOCH + hours(2)));
}

#[test]
fn a_program_is_at_hand_until_it_changes() {
    let filled = Filled::new(&["farm_1"]);
    let program = filled.target().join("release/farm_1");
    assert_eq!(filled.cache.program(Key(0)), Some(program.clone()));
    assert_eq!(filled.cache.program(Key(1)), None);
    let used = filled.cache.list(&filled.target())[0].used;
    assert!(
        used > Some(SystemTime::UNIX_EPOCH + hours(1)),
        "it was used now"
    );
    fs::write(&program, "compiled again").unwrap();
    assert_eq!(filled.cache.program(Key(0)), None);
    fs::remove_file(&program).unwrap();
    assert_eq!(filled.cache.program(Key(0)), None);
    // An incomplete record counts as missing.
    fs::write(filled.cache.record(Key(0)), "/").unwrap();
    assert_eq!(filled.cache.program(Key(0)), None);
}

#[test]
fn what_was_not_used_for_longest_goes_first() {
    let filled = Filled::new(&["a", "b", "c"]);
    filled.file("cache/target/v0/release/deps/old.rlib", 500);
    filled.cache.trim(&filled.target(), 10_000);
    assert_eq!(filled.names(), ["a", "b", "c"]);
    // Compiled files count, including those from old versions.
    filled.cache.trim(&filled.target(), 1_000 + 500 + 1_010);
    assert_eq!(filled.names(), ["b", "c"]);
    assert!(!filled.target().join("release/a").exists());
    assert!(!filled.target().join("release/deps/liba-12ab.rlib").exists());
    filled.cache.trim(&filled.target(), 0);
    assert_eq!(filled.names(), Vec::<String>::new());
    assert!(!filled.cache.target().join("v0").exists());
    assert!(filled.target().exists());
}

#[test]
fn what_is_in_use_stays() {
    let filled = Filled::new(&["a"]);
    let other = filled.cache.lock().unwrap();
    other.lock_shared().unwrap();
    filled.cache.trim(&filled.target(), 0);
    let refused = filled.cache.clear(&filled.target()).unwrap_err();
    assert_eq!(refused.to_string(), "another program is using it");
    assert_eq!(filled.names(), ["a"]);
    drop(other);
    filled.cache.clear(&filled.target()).unwrap();
    assert_eq!(filled.names(), Vec::<String>::new());
    assert!(!filled.cache.target().exists());
}

#[test]
fn a_folder_of_others_keeps_what_is_theirs() {
    let folder = tempfile::tempdir().unwrap();
    let theirs = folder.path().join("notes.txt");
    fs::write(&theirs, "mine").unwrap();
    let recorder = folder.path().join("recorder");
    fs::create_dir(&recorder).unwrap();
    fs::write(recorder.join("librecord.so"), "12345").unwrap();
    let cache = ProgramCache::at(folder.path());
    assert_eq!(cache.shared().collect::<Vec<_>>(), [("recorder", 5)]);
    cache.clear(&cache.target()).unwrap();
    assert!(theirs.exists() && !recorder.exists());
    let missing = ProgramCache::at(folder.path().join("missing"));
    missing.clear(&missing.target()).unwrap();
    assert!(!missing.folder().exists());
}

#[test]
fn a_cache_that_cannot_be_written_keeps_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "no folder").unwrap();
    let cache = ProgramCache::at(&file);
    cache.hold();
    cache.remember(Key(1), &file);
    cache.trim(&cache.target(), 0);
    assert_eq!(cache.program(Key(1)), None);
    assert_eq!(fs::read_to_string(&file).unwrap(), "no folder");
}

/// Returns the folder for these variables, or the error message.
fn caches_for(is_windows: bool, variables: &[(&str, &str)]) -> String {
    let variable = |name: &str| {
        let set = variables.iter().find(|it| it.0 == name);
        set.map(|it| it.1.into())
    };
    let found = caches(is_windows, variable);
    found.map_or_else(|why| why.to_string(), |it| it.display().to_string())
}

#[test]
fn each_system_has_its_own_folder() {
    // The path must be absolute on the system that runs the test.
    let root = if cfg!(windows) { "C:\\" } else { "/" };
    let at = |name: &str| format!("{root}{name}");
    let [home, local, xdg] = [at("home"), at("local"), at("xdg")];
    let both = [("HOME", &*home), ("LOCALAPPDATA", &*local)];
    let inside = PathBuf::from(&home).join(".cache").display().to_string();
    assert_eq!(caches_for(false, &both), inside);
    assert_eq!(caches_for(true, &both), local);
    for is_windows in [false, true] {
        let named = [both[0], both[1], ("XDG_CACHE_HOME", &*xdg)];
        assert_eq!(caches_for(is_windows, &named), xdg);
    }
}

#[test]
fn without_a_folder_the_variables_are_named() {
    let missing = "cannot find a folder for the cache: set XDG_CACHE_HOME or";
    let relative = [
        ("HOME", "home"),
        ("LOCALAPPDATA", ""),
        ("XDG_CACHE_HOME", "x"),
    ];
    assert_eq!(caches_for(false, &relative), format!("{missing} HOME"));
    let windows = format!("{missing} LOCALAPPDATA");
    assert_eq!(caches_for(true, &relative), windows);
    assert_eq!(caches_for(true, &[("HOME", "/home")]), windows);
}
