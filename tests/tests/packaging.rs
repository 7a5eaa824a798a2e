//! Tests the workflows in `packaging`, which people copy: their commands for models run unchanged.

use prophet_tests::root;

use crate::documents::shell::Shell;

/// Returns the commands of a workflow that call our program, in order.
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
        let script = commands(workflow);
        assert_eq!(script.len(), 2, "{script:?}");
        let shell = Shell::new();
        let begin = "mkdir models\ncp sample-models/lapw0.uml models\n";
        let output = shell.run(&(begin.to_owned() + &script.join("\n")));
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{workflow}: {told}");
        assert!(shell.read("problems.sarif").is_some(), "{workflow}");
    }
}

/// On each forge, a release must be built, checked and compared before it is published.
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
