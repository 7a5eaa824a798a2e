//! Prices of operations.

use super::*;

const PRICES: &str = "[operations]\nunit = \"s\"\nIADD = 1\n";

fn cost(at: &str, cost: &str) -> String {
    format!("[[change]]\nat = \"{at}\"\noperation = \"IADD\"\ncost = \"{cost}\"\n")
}

#[test]
fn blocks_that_begin_later_pay_the_new_price() {
    let entries = cost("0s", "2s") + &cost("1s", "500ms") + &cost("3s", "4s") + PRICES;
    let outcome = run_on(&PRICED, system(&machine(1, &entries), 1), async |ctx| {
        // It began at 2 s an operation.
        WORK.execute(ctx, ctx.clc(&[(1.0, IADD)])).await?;
        WORK.execute(ctx, ctx.clc(&[(2.0, IADD)])).await?;
        assert_eq!(ctx.now_s().to_bits(), 3.0_f64.to_bits());
        WORK.execute(ctx, ctx.clc(&[(1.0, IADD)])).await
    });
    assert_eq!(ends(&outcome), [7.0]);
}
