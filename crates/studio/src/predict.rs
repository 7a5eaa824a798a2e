//! Predictions, which newer ones end.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use prophet_codegen::generate::Checked;
use prophet_interpret::{Interpreted, Unsupported};
use serde_json::Value;

use crate::words::may_set;

/// The prediction under way.
#[derive(Debug, Default)]
pub(crate) struct Running(Mutex<Arc<AtomicBool>>);

/// Ends a prediction when nobody waits for it any more.
#[derive(Debug)]
pub(crate) struct StopOnDrop(Arc<AtomicBool>);

impl Running {
    /// Ends the prediction under way, and gives the mark that ends the next one.
    pub(crate) fn next(&self) -> Arc<AtomicBool> {
        let next = Arc::<AtomicBool>::default();
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = std::mem::replace(&mut *current, Arc::clone(&next));
        last.store(true, Ordering::Relaxed);
        next
    }
}

impl StopOnDrop {
    pub(crate) const fn new(mark: Arc<AtomicBool>) -> Self {
        Self(mark)
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Message for a model that cannot be interpreted.
pub(crate) fn only_compiled(why: &Unsupported) -> String {
    format!("{why}, which is only compiled")
}

/// The command line of a run with these flags, some of them parameters of the model.
pub(crate) fn words(
    checked: &Checked,
    flags: &BTreeMap<String, String>,
) -> Result<Vec<OsString>, String> {
    let Some(program) = &checked.program else {
        return Err("the model has problems".to_owned());
    };
    let mut words: Vec<OsString> = vec!["studio".into()];
    for (name, value) in flags {
        if program.parameters.iter().any(|it| it.name == *name) {
            words.push(format!("--set={name}={value}").into());
        } else if may_set(name, value) {
            words.push(format!("--{name}={value}").into());
        } else {
            return Err(format!("`{name}` cannot be set to `{value}` here"));
        }
    }
    Ok(words)
}

/// Predicts with these flags, some of them parameters of the model; gives the result as `run`
/// prints it, or what is wrong.
pub(crate) fn predict(
    checked: &Checked,
    flags: &BTreeMap<String, String>,
    stop: Arc<AtomicBool>,
) -> Result<Value, String> {
    let mut words = words(checked, flags)?;
    words.push("--format=json".into());
    let interpreted = Interpreted::new(checked, &checked.source.name, false);
    let interpreted = interpreted.map_err(|why| only_compiled(&why))?;
    let (mut result, mut messages) = (Vec::new(), Vec::new());
    let code = interpreted.run_until(words, &mut result, &mut messages, stop);
    if code != 0 {
        let messages = String::from_utf8_lossy(&messages);
        let message = messages.trim_end();
        return Err(message
            .strip_prefix("error: ")
            .unwrap_or(message)
            .to_owned());
    }
    serde_json::from_slice(&result).map_err(|error| error.to_string())
}
