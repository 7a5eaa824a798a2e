//! Derives the type of a task from its name.

/// Returns a task's type: its name without the number at the end.
///
/// ```
/// use prophet_workflow::task_type;
///
/// assert_eq!(task_type("individuals_ID0000012"), "individuals");
/// assert_eq!(task_type("blastall_12"), "blastall");
/// assert_eq!(task_type("map-3"), "map");
/// assert_eq!(task_type("stage2#7"), "stage2");
/// // A number that nothing parts from the name belongs to it.
/// assert_eq!(task_type("bowtie2"), "bowtie2");
/// assert_eq!(task_type("42"), "42");
/// ```
pub fn task_type(name: &str) -> &str {
    let begin = name.trim_end_matches(|it: char| it.is_ascii_digit());
    if begin.len() == name.len() {
        return name;
    }
    let begin = match begin.strip_suffix("ID") {
        Some(rest) if rest.ends_with('_') => rest,
        _ => begin,
    };
    match begin.strip_suffix(['_', '-', '.', '#']) {
        Some(task) if !task.is_empty() => task,
        _ => name,
    }
}
