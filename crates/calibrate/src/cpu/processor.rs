//! Finds the name of this machine's processor.

use std::fs;

/// Returns a sentence that names the processor; empty if the system doesn't report its name.
pub(crate) fn sentence() -> String {
    let list = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = named(&list).map(|name| format!(", {name}"));
    format!("This machine's processor{}.", name.unwrap_or_default())
}

/// Finds the name of the processor in Linux's list: `model name` on x86, `Model` or `Hardware` on
/// other processors.
fn named(list: &str) -> Option<String> {
    let value = |key: &str| {
        let pairs = list.lines().filter_map(|line| line.split_once(':'));
        let mut found = pairs.filter(|(name, _)| name.trim() == key);
        let value = found.next().map(|(_, value)| value.trim().to_owned());
        value.filter(|it| !it.is_empty())
    };
    ["model name", "Model", "Hardware", "cpu model"]
        .into_iter()
        .find_map(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_processor_names_all() {
        let list = "processor\t: 0\nmodel\t\t: 17\nmodel name\t: A 1\n\nmodel name\t: B 2\n";
        assert_eq!(named(list).as_deref(), Some("A 1"));
        assert_eq!(named("Model\t\t: Board 4\n").as_deref(), Some("Board 4"));
        assert_eq!(named("model name\t: \n"), None);
        assert_eq!(named(""), None);
    }
}
