//! Executes loops with iterations that may repeat earlier ones.

use std::task::Context;

use prophet_runtime::{Int, Repeat, Value};

use crate::element::Repeating;
use crate::executing::{Begun, Ended, Here, begin_boxed};
use crate::frame::{int_word, word_int};
use crate::place::Place;

/// Starts the next iteration of a loop. If it can't stop the run, no box is needed.
pub(super) fn begin<'a>(here: Here<'a>, head: &'a Repeating, cx: &mut Context<'_>) -> Begun<'a> {
    let mut repeat = head.repeat(here);
    if repeat.may_stop(here.1) {
        return begin_boxed(next(here, head, repeat), cx);
    }
    let goes_on = repeat.turn(here.1)?;
    head.note(here, &repeat, goes_on);
    Ok(None)
}

async fn next(here: Here<'_>, head: &Repeating, mut repeat: Repeat) -> Ended {
    let (process, ctx, base) = here;
    let word = |place: &Place| Value::Int(process.read(base, *place).cast_signed());
    let values: Vec<Value> = head.variables.iter().map(word).collect();
    let goes_on = repeat.next(ctx, &values).await?;
    head.note(here, &repeat, goes_on);
    Ok(())
}

impl Repeating {
    fn repeat(&self, (process, ctx, base): Here<'_>) -> Repeat {
        let int = |reg| word_int(process.registers(ctx, base).word(reg));
        let begun = int(self.begun);
        if begun == 0 {
            for (period, factors) in &self.periods {
                let product = product((process, ctx, base), factors);
                process.assign(base, Place::Own(*period), int_word(product));
            }
        }
        let repeat = Repeat::new(&self.element, int(self.count)).at_least(self.least);
        let periods = self.periods.iter().map(|(period, _)| int(*period));
        periods.fold(repeat.behind(begun), Repeat::modulo)
    }

    fn note(&self, (process, _, base): Here<'_>, repeat: &Repeat, goes_on: bool) {
        let set = |reg, value| process.assign(base, Place::Own(reg), int_word(value));
        set(self.begun, repeat.begun());
        set(self.number, repeat.number());
        set(self.goes_on, Int::from(goes_on));
    }
}

/// Returns the product of these factors; 0 if a factor fails or the product overflows.
fn product((process, ctx, _): Here<'_>, factors: &[u32]) -> Int {
    let mut factors = factors.iter();
    let product = factors.try_fold(1, |product: i64, factor| {
        let frame = process.code.thunks[*factor as usize];
        let factor = process.evaluate(ctx, frame).ok()?;
        product.checked_mul(factor.0)
    });
    Int(product.unwrap_or(0))
}
