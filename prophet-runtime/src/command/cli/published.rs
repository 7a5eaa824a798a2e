//! Fills in the parameters of a training model from a language model: a built-in one, or the
//! `config.json` that is published with it on `HuggingFace`.

use std::path::Path;

use prophet_machine::quantity::one_line;
use prophet_machine::value::Value;
use prophet_text::{Problem, did_you_mean, problem};
use serde_json::Value as Json;

use super::mistake::Mistake;
use crate::language::model::Parameter;
use families::{Family, PARAMETERS, Size, refuse_not_expressed, refuse_other_kinds};
use keys::{flag, whole};

mod built_in;
mod families;
mod keys;

/// Maximum size of a file, in bytes. Some files contain long lists of labels.
const MOST_BYTES: u64 = 4 << 20;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Published {
    /// The path of the file, or the built-in name.
    source: String,
    /// The sizes, indexed like [`PARAMETERS`].
    sizes: [Size; PARAMETERS.len()],
    head_size: Option<i64>,
    /// Warnings about entries in the file that no parameter can express.
    pub(super) warnings: Vec<String>,
}

impl Published {
    /// Reads a file, or finds a built-in language model by its name.
    pub(super) fn named(name: &str) -> Result<Self, Mistake> {
        let path = Path::new(name);
        let is_file = path.exists()
            || name.contains(['/', '\\'])
            || path.extension().is_some_and(|it| it == "json");
        let text = match built_in::text(name) {
            Some(text) => text.as_bytes().to_vec(),
            None if is_file => prophet_files::load(path, MOST_BYTES).map_err(Mistake::Input)?,
            None => return Err(Mistake::Flag(unknown(&one_line(name)))),
        };
        let config: Json = serde_json::from_slice(&text).map_err(|why| {
            let line = u64::try_from(why.line()).unwrap_or_default();
            let is_cut = why.is_eof();
            let why = prophet_text::json_mistake(why);
            if prophet_text::is_empty(&text) {
                return Mistake::Input(Problem::unread(path, prophet_text::EMPTY.told));
            }
            let before = ["this is not JSON: ", ""][usize::from(is_cut)];
            Mistake::Input(Problem::at(path, line, format!("{before}{why}")))
        })?;
        let read = Self::read(&config, name);
        read.map_err(|problem| Mistake::Input(problem.in_file(name)))
    }

    fn read(config: &Json, source: &str) -> Result<Self, Problem> {
        refuse_other_kinds(config)?;
        refuse_not_expressed(config)?;
        let family = Family::of(config)?;
        let mut sizes = [Size::Is(1); PARAMETERS.len()];
        for (size, parameter) in sizes.iter_mut().zip(&PARAMETERS) {
            *size = family.size(config, parameter)?;
        }
        let mut warnings = Vec::new();
        let mut warn = |what: String| warnings.push(format!("{}: {what}", one_line(source)));
        let parallel = ["parallel_attn", "use_parallel_residual"];
        if flag(config, &parallel, family.is_parallel)? {
            warn(
                "the attention and the feed-forward network of a layer run in parallel, but the \
                 prediction runs them one after the other, with twice as many all-reduces for \
                 tensor parallelism"
                    .to_owned(),
            );
        }
        let is_used = flag(config, &["use_sliding_window"], true)?;
        if let Some(window) = whole(config, &["sliding_window"])?.filter(|_| is_used) {
            warn(format!(
                "each token attends to {window} tokens (`sliding_window`), but the prediction \
                 assumes all tokens before it, so longer sequences take less time than predicted"
            ));
        }
        Ok(Self {
            source: source.to_owned(),
            sizes,
            head_size: whole(config, &["head_dim"])?.or(family.head_size),
            warnings,
        })
    }

    /// Sets those parameters of a model that no flag sets.
    pub(super) fn fill(
        &self,
        declared: &[Parameter],
        values: &mut [Option<Value>],
    ) -> Result<(), Problem> {
        let filled = self.filled(declared, values);
        filled.map_err(|problem| problem.in_file(&*self.source))
    }

    fn filled(&self, declared: &[Parameter], values: &mut [Option<Value>]) -> Result<(), Problem> {
        let index = |name: &str| declared.iter().position(|it| it.name == name);
        let given = |name: &str| match values[index(name)?]? {
            Value::Int(value) => Some(value),
            Value::Real(value) => format!("{value:.0}").parse().ok(),
            Value::Bool(value) => Some(value.into()),
        };
        let in_file = |name: &str| {
            let mut all = PARAMETERS.iter().zip(self.sizes);
            match all.find(|(it, _)| it.name == name) {
                Some((_, Size::Is(size))) => size,
                _ => 1,
            }
        };
        let base = |name: &str| given(name).unwrap_or_else(|| in_file(name));
        let of = |size: Size| match size {
            Size::Is(size) => size,
            Size::Times(factor, name) => base(name).saturating_mul(factor),
        };
        if given("HIDDEN").or(given("HEADS")).is_none() {
            let [hidden, heads] = ["HIDDEN", "HEADS"].map(in_file);
            let each = self.head_size.unwrap_or(hidden / heads);
            if each * heads != hidden {
                return Err(Problem::with_help(
                    format!(
                        "training models need heads that add up to the hidden size {hidden}, not \
                         {heads} heads of size {each}"
                    ),
                    "choose a different size with --heads or --hidden",
                ));
            }
        }
        let mut lacking = Vec::new();
        let mut found = Vec::new();
        for (parameter, size) in PARAMETERS.iter().zip(self.sizes) {
            let (name, size) = (parameter.name, of(size));
            match index(name) {
                Some(at) => found.push((at, size)),
                None if parameter.without.map(of) == Some(size) => {}
                None => lacking.push(format!("{name} ({size})")),
            }
        }
        if !lacking.is_empty() {
            return Err(Problem::with_help(
                format!(
                    "the model lacks parameters for {}, so it would predict a different network",
                    lacking.join(", ")
                ),
                "choose a training model that has them, such as the sample megatron.uml",
            ));
        }
        for (at, size) in found {
            if values[at].is_none() {
                let Parameter { name, default, .. } = declared[at];
                let value = default.parse(&size.to_string());
                values[at] = Some(value.map_err(|why| problem!("the parameter {name}: {why}"))?);
            }
        }
        Ok(())
    }
}

fn unknown(name: &str) -> String {
    format!(
        "unknown language model `{name}`, and no such file{}\n\
         help: choose one of {}, or give the path of a config.json",
        did_you_mean(name, built_in::names()),
        built_in::names().collect::<Vec<_>>().join(", ")
    )
}

#[cfg(test)]
mod tests;
