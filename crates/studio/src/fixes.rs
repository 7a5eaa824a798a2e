//! Fixes problems by making the change that their advice suggests.

use prophet_edit::{Document, Edit, Outline};
use prophet_model::diagnostic::{Diagnostic, Remedy};
use prophet_text::{Context as _, Problem};

/// Fixes a problem in the document's text.
///
/// # Errors
///
/// Returns an error that says why the problem can't be fixed.
pub(crate) fn mend(document: &mut Document, problem: Option<&Diagnostic>) -> Result<(), Problem> {
    let fix = problem.and_then(|it| Some((it.span.range(), it.fix()?)));
    let (place, (remedy, name)) = fix.ok_or("no fix is known for this problem")?;
    let label = format!("Write {name}");
    let mended = match remedy {
        Remedy::Text => document.put(&label, place, name),
        Remedy::Name => {
            // Stereotypes are written differently if their names aren't valid in XML.
            let stereotype = document.profiles().stereotype(name);
            let element = stereotype.map(|(_, it)| it.element.clone());
            document.rename_at(&label, place.start, element.as_deref().unwrap_or(name))
        }
        Remedy::Guard => {
            let outline = Outline::read(document.text())?;
            let flow = outline.id_at(place.start).unwrap_or("").to_owned();
            let text = Some(name.to_owned());
            let guard = document.apply(&label, &[Edit::Guard { flow, text }]);
            guard.map(|_| ())
        }
    };
    mended.told()
}
