//! Tests closed forms.

use prophet_testing::assert_near;

use super::*;

const STAR: &str = "shared:topology=star,latency=0,bandwidth=1GB/s";
const GB: i64 = 1_000_000_000;

fn assert_all_near(seen: &[f64], expected: &[f64]) {
    assert_eq!(seen.len(), expected.len());
    for (seen_s, expected_s) in seen.iter().zip(expected) {
        let error = (seen_s - expected_s).abs();
        assert!(error <= 1e-12 * expected_s, "{seen:?}, not {expected:?}");
    }
}

#[test]
fn messages_to_one_node_share_its_link() {
    // With two receivers, each message is taken when it arrives.
    let seen = arrivals(STAR, 3, &[(0.0, 0, 2, GB), (0.0, 1, 2, GB)]);
    assert_all_near(&seen, &[0.0, 0.0, 2.0]);
}

#[test]
fn a_later_message_slows_an_earlier_one() {
    let half = GB / 2;
    // The first message is alone for a quarter of a second, and then the two share.
    let outcome = run_on(apart(3, STAR), async |ctx| match i64::from(ctx.pid()) {
        0 => SEND.execute(ctx, 2, Message::bytes(GB), ByMachine).await,
        1 => {
            WORK.execute(ctx, 0.25).await?;
            SEND.execute(ctx, 2, Message::bytes(half), ByMachine).await
        }
        _ => {
            RECV.execute(ctx, 1, Message::any_size(), ByMachine).await?;
            assert!((ctx.now_s() - 1.25).abs() < 1e-12, "{}", ctx.now_s());
            RECV.execute(ctx, 0, Message::any_size(), ByMachine).await
        }
    });
    assert_all_near(&ends(&outcome)[2..], &[1.5]);
}

#[test]
fn a_message_over_two_links_shares_both() {
    let messages = &[(0.0, 0, 1, GB), (0.0, 0, 2, GB), (0.0, 3, 1, GB)];
    assert_all_near(&arrivals(STAR, 4, messages), &[0.0, 2.0, 2.0, 0.0]);
}

#[test]
fn latency_takes_no_bandwidth() {
    let network = "shared:topology=star,latency=0.5ms,bandwidth=1GB/s";
    let messages = &[(0.0, 0, 2, GB / 1000), (0.0, 1, 2, GB / 1000)];
    assert_all_near(&arrivals(network, 3, messages), &[0.0, 0.0, 0.003]);
}

#[test]
fn a_message_without_bytes_takes_the_latencies_alone() {
    let network = "shared:topology=star,latency=0.5ms,bandwidth=1GB/s";
    assert_all_near(&arrivals(network, 2, &[(0.0, 0, 1, 0)]), &[0.0, 0.001]);
}

#[test]
fn others_take_their_part_of_all_links() {
    let network = "shared:topology=star,latency=0,bandwidth=1GB/s,background=0.75";
    assert_all_near(&arrivals(network, 2, &[(0.0, 0, 1, GB)]), &[0.0, 4.0]);
}

#[test]
fn both_ends_pay_the_overhead() {
    let network = "shared:topology=star,latency=0,bandwidth=1GB/s,o=1s";
    assert_all_near(&arrivals(network, 2, &[(0.0, 0, 1, GB)]), &[1.0, 3.0]);
}

#[test]
fn messages_within_a_node_use_no_link() {
    let mut system = System::new(1, 2, 2, 1);
    system.choose_network(STAR).expect("it is a network");
    let outcome = run_on(system, async |ctx| match i64::from(ctx.pid()) {
        0 => SEND.execute(ctx, 1, Message::bytes(GB), ByMachine).await,
        _ => RECV.execute(ctx, 0, Message::any_size(), ByMachine).await,
    });
    assert_all_near(&ends(&outcome)[1..], &[0.3e-6 + 0.05]);
}

#[test]
fn a_ring_of_a_torus_is_as_fast_as_its_links() {
    // Each message has a link of its own.
    let network = "shared:topology=torus,dimensions=8,latency=0,bandwidth=1GB/s";
    let outcome = run_on(apart(8, network), async |ctx| {
        let next = (ctx.pid() + 1) % 8;
        LATER
            .execute(ctx, next, Message::bytes(GB), ByMachine)
            .await?;
        RECV.execute(ctx, (ctx.pid() + 7) % 8, Message::any_size(), ByMachine)
            .await
    });
    assert_all_near(&ends(&outcome), &[1.0; 8]);
}

#[test]
fn packets_are_stored_and_forwarded() {
    // Ten packets: each takes 1 ms to get onto either link, and 0.5 s on it.
    let network = "packet:topology=star,latency=0.5s,bandwidth=1MB/s,packet=1000B";
    let end_s = 1.0 + 0.011;
    assert_all_near(&arrivals(network, 2, &[(0.0, 0, 1, 10_000)]), &[0.0, end_s]);
}

#[test]
fn packets_of_two_messages_take_turns_as_their_fluids_do() {
    let messages = &[(0.0, 0, 2, GB / 100), (0.0, 1, 2, GB / 100)];
    let star = "topology=star,latency=1us,bandwidth=1GB/s";
    let end_s = |model: &str| arrivals(&format!("{model}:{star}"), 3, messages)[2];
    let (fluid_s, packets_s) = (end_s("shared"), end_s("packet"));
    assert_near(packets_s, fluid_s, 0.05);
}
