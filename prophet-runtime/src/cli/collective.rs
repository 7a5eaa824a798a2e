//! Which algorithms `--collective` can choose.

use crate::quantity::quoted;
use crate::suggest::did_you_mean;

/// The collectives of the profile, and the algorithm that each has now.
const COLLECTIVES: [(&str, Option<&str>); 10] = [
    ("allgather", None),
    ("allreduce", Some("recursive-doubling")),
    ("alltoall", None),
    ("barrier", Some("dissemination")),
    ("broadcast", Some("binomial")),
    ("gather", None),
    ("reduce", None),
    ("reducescatter", None),
    ("scan", None),
    ("scatter", None),
];

/// The algorithms of the contract.
const ALGORITHMS: [&str; 10] = [
    "analytic",
    "auto",
    "binomial",
    "bruck",
    "dissemination",
    "linear",
    "pairwise",
    "rabenseifner",
    "recursive-doubling",
    "ring",
];

/// Checks a `NAME=ALGORITHM`; what passes is what the runtime does anyway.
pub(super) fn check(choice: &str) -> Result<(), String> {
    let invalid = |problem: String| {
        Err(format!(
            "invalid value '{}' for '--collective': {problem}",
            quoted(choice)
        ))
    };
    let Some((name, algorithm)) = choice.split_once('=') else {
        return invalid("it is NAME=ALGORITHM, such as allreduce=recursive-doubling".to_owned());
    };
    let names = COLLECTIVES.map(|(known, _)| known);
    let Some((_, present)) = COLLECTIVES.iter().find(|(known, _)| *known == name) else {
        return invalid(format!(
            "`{}` is no collective ({}){}",
            quoted(name),
            names.join(", "),
            did_you_mean(name, names)
        ));
    };
    if !ALGORITHMS.contains(&algorithm) {
        return invalid(format!(
            "`{}` is no algorithm ({}){}",
            quoted(algorithm),
            ALGORITHMS.join(", "),
            did_you_mean(algorithm, ALGORITHMS)
        ));
    }
    match present {
        None => Err(format!("the collective `{name}` is not yet there")),
        Some(present) if algorithm == "auto" || algorithm == *present => Ok(()),
        Some(present) => Err(format!(
            "--collective {name}={algorithm} is not yet there; use `{present}` or `auto`"
        )),
    }
}
