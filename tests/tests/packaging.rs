//! The workflows in `packaging` that people copy: their commands for models run as they stand.

use std::process::Command;

use prophet_testing::write_script;
use prophet_tests::built::built;
use prophet_tests::root;

/// The commands of a workflow that call our program, in their order.
fn commands(workflow: &str) -> Vec<String> {
    let path = root().join("packaging").join(workflow);
    let text = std::fs::read_to_string(path).expect("a workflow");
    let lines = text.lines().map(str::trim_start);
    let ours = lines.filter_map(|it| it.strip_prefix("- run: ").or(it.strip_prefix("- ")));
    let ours = ours.filter(|it| it.starts_with("performance-prophet "));
    ours.map(str::to_owned).collect()
}

#[test]
fn workflows_for_models_run_as_they_stand() {
    for workflow in ["github/models.yml", "gitlab/models.yml"] {
        let folder = tempfile::tempdir().expect("there is room");
        let models = folder.path().join("models");
        std::fs::create_dir(&models).expect("there is room");
        let sample = root().join("sample-models/lapw0.uml");
        std::fs::copy(sample, models.join("lapw0.uml")).expect("there is room");
        let bin = folder.path().join("bin");
        std::fs::create_dir(&bin).expect("there is room");
        let program = format!(
            "#!/bin/sh\nexec {:?} \"$@\"\n",
            built("performance-prophet")
        );
        write_script(&bin.join("performance-prophet"), &program);
        let path = format!(
            "{}:{}",
            bin.display(),
            std::env::var("PATH").unwrap_or_default()
        );
        let script = commands(workflow);
        assert_eq!(script.len(), 2, "{script:?}");
        let output = Command::new("sh")
            .args(["-e", "-c", &script.join("\n")])
            .current_dir(folder.path())
            .env("PATH", path)
            .env("XDG_CACHE_HOME", folder.path())
            .output()
            .expect("there is a shell");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{workflow}: {told}");
        assert!(folder.path().join("problems.sarif").is_file());
    }
}

/// What is published was made, looked at and compared before, on each forge.
#[test]
fn releases_are_gated_packed_and_checked() {
    for workflow in ["github/release.yml", "gitlab/release.yml"] {
        let path = root().join("packaging").join(workflow);
        let text = std::fs::read_to_string(path).expect("a workflow");
        let steps = [
            ".ci/run",
            "cargo xtask dist --twice",
            "cargo publish --workspace --locked --dry-run",
            "twine check --strict",
            "cargo publish --workspace --locked\n",
        ];
        let places = steps.map(|it| text.find(it).unwrap_or_else(|| panic!("{workflow}: {it}")));
        assert!(places.is_sorted(), "{workflow}: {places:?}");
    }
}
