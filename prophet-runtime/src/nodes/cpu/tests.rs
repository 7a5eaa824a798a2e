//! Units that come and go at nodes.

use crate::engine::World;
use crate::machine::system::System;

/// Two nodes with two CPUs each; units 0 and 1 are processes of node 0, the others come to it
/// as threads.
fn system() -> System {
    let mut system = System::new(2, 2, 4, 1);
    system.mapping = vec![0, 0, 1, 1];
    system
}

fn ask(world: &World<'_>, unit: u32, cost_s: f64) {
    let generation = world.register(unit).unwrap();
    world
        .cpus
        .ask(world, 0, (unit, generation), cost_s)
        .unwrap();
}

/// Ends the wait of the next unit that is due and gives its CPU to the next.
fn end_next(world: &World<'_>) -> u32 {
    let unit = world.take_due(|_| ()).expect("somebody computes");
    assert!(world.unit(unit).granted(world.unit(unit).generation.get()));
    world.cpus.release(world, 0, unit);
    world.cpus.dispatch(world);
    unit
}

fn computing(world: &World<'_>) -> Vec<u32> {
    (0..4).filter(|unit| world.has_timer(*unit)).collect()
}

fn begun(world: &World<'_>) {
    while world.take_ready().is_some() {}
    world.take_busy();
}

#[test]
fn who_comes_with_a_team_queues_with_those_that_ask_at_that_instant() {
    let system = system();
    let world = World::new(&system, Vec::new(), 0);
    begun(&world);
    ask(&world, 2, 1.0);
    ask(&world, 1, 2.0);
    assert_eq!(computing(&world), [1, 2]);
    world.cpus.add_units(&world, 0, 1);
    ask(&world, 0, 3.0);
    assert_eq!(computing(&world), [] as [u32; 0]);
    world.cpus.dispatch(&world);
    assert_eq!(computing(&world), [0, 1]);

    assert_eq!(end_next(&world), 1);
    assert_eq!(computing(&world), [0, 2]);
    assert_eq!(world.unit(2).wait_s.get().to_bits(), 2.0_f64.to_bits());
}

#[test]
fn who_computes_already_goes_on_when_a_team_comes_and_none_queues_when_it_has_gone() {
    let system = system();
    let world = World::new(&system, Vec::new(), 0);
    begun(&world);
    ask(&world, 0, 1.0);
    ask(&world, 1, 2.0);
    assert_eq!(end_next(&world), 0);
    world.cpus.add_units(&world, 0, 2);
    assert!(world.cpus.contended(0));
    ask(&world, 3, 5.0);
    ask(&world, 2, 5.0);
    world.cpus.dispatch(&world);
    assert_eq!(computing(&world), [1, 2]);

    assert_eq!(end_next(&world), 1);
    assert_eq!((end_next(&world), end_next(&world)), (2, 3));
    world.cpus.remove_units(0, 2);
    assert!(!world.cpus.contended(0));
    ask(&world, 0, 1.0);
    ask(&world, 1, 1.0);
    assert_eq!(computing(&world), [0, 1]);
}
