//! Writes estimates as values into a machine file, and leaves every other byte unchanged.

use std::path::Path;

use prophet_edit::values::{entry, parsed, quoted, set};
use prophet_runtime::quantity::seconds;
use prophet_runtime::{Configuration, Machine};
use prophet_text::{Context as _, Problem, problem};
use toml::de::DeValue;

use crate::command::parameters::ParameterEstimate;
use crate::cost::fitted::number;

/// Keys in a machine file that are also names of free parameters.
const KEYS: [&str; 3] = ["core-bandwidth", "memory-bandwidth", "quantum"];

/// Returns `true` if machine files can contain a value with this name.
pub(super) fn has(name: &str) -> bool {
    let part = name.split_once('.').map(|it| it.0);
    KEYS.contains(&name) || matches!(part, Some("network" | "intranode" | "operations"))
}

/// Returns a machine file with the estimates, based on the machine that the flags select.
pub(super) fn text(
    out: &Path,
    flags: &Configuration,
    estimates: &[&ParameterEstimate],
    source: &str,
) -> Result<String, Problem> {
    let mut text = base(out, flags, source)?;
    for (name, network) in ["network", "intranode"].into_iter().zip(flags.networks()) {
        if let Some(network) = network {
            text = set(&text, None, name, &quoted(&network))?;
        }
    }
    for estimate in estimates {
        text = match estimate.name.split_once('.') {
            Some(("operations", name)) => with_price(&text, name, &estimate.value)?,
            Some((network, key)) => with_network(&text, network, key, &estimate.value)?,
            None => set(&text, None, &estimate.name, &quoted(&estimate.value))?,
        };
    }
    let names: Vec<&str> = estimates.iter().map(|it| it.name.as_str()).collect();
    Ok(commented(&text, source, &names.join(", ")))
}

/// Returns the text of the machine that the flags select, or of a new machine.
fn base(out: &Path, flags: &Configuration, source: &str) -> Result<String, Problem> {
    let [network, _] = flags.networks();
    let machine = flags.machine();
    if let Some(file) = machine.filter(|it| it.file().is_some()) {
        return file.to_toml().map(std::borrow::Cow::into_owned);
    }
    let name = out.file_stem().unwrap_or_default().to_string_lossy();
    let name: String = name.split_whitespace().collect::<Vec<_>>().join("-");
    // Network flags completely replace the default machine's network.
    let known = match machine {
        None if network.is_some() => None,
        None => Machine::preset("default"),
        Some(machine) => Some(machine.clone()),
    };
    let Some(known) = known else {
        let (name, source) = (quoted(&name), quoted(&format!("{source}.")));
        return Ok(format!("name = {name}\nsource = {source}\n"));
    };
    let text = set(&known.to_toml()?, None, "name", &quoted(&name))?;
    let source = format!(
        "{source}; everything else comes from the machine {}.",
        known.name
    );
    set(&text, None, "source", &quoted(&source))
}

/// Returns the text with one key of a network changed. The network is a string or a table.
fn with_network(text: &str, network: &str, key: &str, value: &str) -> Result<String, Problem> {
    let root = parsed(text)?;
    match entry(&root, network).map(|it| it.0) {
        Some(DeValue::Table(_)) => set(text, Some(network), key, &quoted(value)),
        Some(DeValue::String(known)) => {
            let (model, pairs) = known.split_once(':').unwrap_or((known, ""));
            let is_other = |it: &&str| it.split_once('=').is_none_or(|it| it.0.trim() != key);
            let others = pairs
                .split(',')
                .filter(|it| !it.is_empty())
                .filter(is_other);
            let changed = format!("{key}={value}");
            let pairs: Vec<&str> = others.chain([changed.as_str()]).collect();
            let network_now = format!("{model}:{}", pairs.join(","));
            set(text, None, network, &quoted(&network_now))
        }
        _ => Err(problem!(
            "the machine does not describe its `{network}`\nhelp: set one with --{network}"
        )),
    }
}

/// Returns the text with the price of an operation changed, in the table's unit.
fn with_price(text: &str, name: &str, value: &str) -> Result<String, Problem> {
    let price_s = seconds(value).told()?;
    let root = parsed(text)?;
    let Some((DeValue::Table(table), _)) = entry(&root, "operations") else {
        let table = format!(
            "\n[operations]\nunit = \"ns\"\n{name} = {}\n",
            number(price_s / 1e-9)
        );
        return Ok(format!("{}\n{table}", text.trim_end()));
    };
    let Some((DeValue::String(unit), _)) = entry(table, "unit") else {
        return Err("its `[operations]` table has no unit".into());
    };
    let unit_s = seconds(&format!("1{unit}")).told()?;
    set(text, Some("operations"), name, &number(price_s / unit_s))
}

/// Returns the text with a comment about the estimates. It replaces an earlier comment about the
/// same values.
fn commented(text: &str, source: &str, names: &str) -> String {
    let about = format!(": {names}.");
    let is_old = |line: &&str| line.starts_with("# Fitted to ") && line.ends_with(&about);
    let lines = text.split_inclusive('\n');
    let kept: String = lines.filter(|it| !is_old(&it.trim_end())).collect();
    format!("{}\n# {source}{about}\n", kept.trim_end())
}
