//! Reneging: customers who lose patience leave the queue.

#![expect(clippy::print_stdout, reason = "an example prints its result")]

use prophet_sim::{Discipline, Facility, Failure, Study};

fn main() -> Result<(), Failure> {
    let counter = Facility::with_discipline("counter", 1, Discipline::Priority);
    let study = Study::new().seed(42).until(100.0);
    let run = study.run(&counter, async |bank, counter| {
        let mut random = bank.generator("customers");
        for number in 0.. {
            let (patience, service) = (random.uniform(1.0, 30.0)?, random.exponential(12.0)?);
            let priority = i32::from(random.bernoulli(0.2)?);
            bank.spawn(async move |customer| {
                customer.set_priority(priority);
                let wait = customer.timeout(patience, counter.reserve(&customer));
                match wait.await? {
                    Some(_server) => customer.hold(service).await?,
                    None => println!("{:.1}: customer {number} leaves", customer.now_s()),
                }
                Ok(())
            });
            bank.hold(random.exponential(10.0)?).await?;
        }
        Ok(())
    })?;
    println!("{run}\n{}", counter.statistics());
    Ok(())
}
