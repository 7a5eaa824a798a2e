//! The diagrams of a model as pictures.

use prophet_codegen::target::drawing::Drawing;
use prophet_codegen::target::svg::pictures;
use prophet_frontend::checked::Checked;
use serde_json::{Value, json};

/// The title and the picture of each activity, the main one first; `null` for a model with errors.
pub(crate) fn diagrams(checked: &Checked) -> Value {
    let Some((model, program)) = checked.model.as_ref().zip(checked.program.as_ref()) else {
        return Value::Null;
    };
    let pictures = pictures(&Drawing::new(model, program)).into_iter();
    pictures
        .map(|it| json!({ "title": it.title, "svg": it.svg }))
        .collect()
}
