//! Shop: the first example of GUIDE.md, word for word.

#![expect(clippy::print_stdout, reason = "an example prints its result")]

use prophet_sim::{Facility, Process, Stopped, Study};

struct Shop {
    desk: Facility,
}

async fn customer(me: Process<'_>, shop: &Shop, seconds: f64) -> Result<(), Stopped> {
    shop.desk.use_for(&me, seconds).await
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let shop = Shop {
        desk: Facility::new("desk", 2),
    };
    let study = Study::new().seed(1).until(10_000.0);
    let run = study.run(&shop, async |sim, shop| {
        let mut arrivals = sim.generator("arrivals");
        let mut services = sim.generator("services");
        loop {
            sim.hold(arrivals.exponential(1.0)?).await?;
            let seconds = services.exponential(1.6)?;
            sim.spawn(move |me| customer(me, shop, seconds));
        }
    })?;
    println!("{run}\n{}", shop.desk.statistics());
    Ok(())
}
