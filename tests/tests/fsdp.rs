//! Tests that the times and memory of the sample `fsdp` agree with closed forms and published
//! tables.

use prophet_runtime::{Accelerator, Engine, Failure, Machine, Outcome, Simulation, System, Value};
use prophet_testing::{assert_close, assert_near, assert_says};
use prophet_tests::samples::fsdp;

/// Number of nodes with eight GPUs each, and the model's parameters.
type Layout<'a> = (u32, &'a [(&'a str, i64)]);

/// Runs the model with these prices in seconds. All other prices, and the prices of launches, are
/// 0.
fn run(layout: Layout<'_>, prices: &[(&str, f64)]) -> Result<Outcome, Failure> {
    on_gpus(layout, prices, Some(80_000_000_000))
}

fn on_gpus(
    (nodes, parameters): Layout<'_>,
    prices: &[(&str, f64)],
    memory: Option<u64>,
) -> Result<Outcome, Failure> {
    let model = &fsdp::MODEL;
    let h100 = Machine::preset("h100").expect("there is one of that name");
    let mut system = System::on(h100, nodes, 8, 1, 1);
    let described = system.accelerators.iter().cloned();
    let accelerators = described.map(|it| Accelerator {
        launch_s: 0.0,
        memory,
        ..it
    });
    system.accelerators = accelerators.collect();
    system.parameters = model.defaults();
    for (name, value) in parameters {
        let index = model.parameters.iter().position(|it| it.name == *name);
        let given = &mut system.parameters[index.expect("the model has it")];
        *given = match given {
            Value::Real(_) => Value::Real(i32::try_from(*value).expect("it is small").into()),
            _ => Value::Int(*value),
        };
    }
    for opcode in model.opcodes {
        system.prices.set(opcode.name, 0.0);
    }
    for (name, price_s) in prices {
        system.prices.set(name, *price_s);
    }
    let simulation = Simulation::new(model, system).with_engine(Engine::Local);
    simulation.run(fsdp::program)
}

fn time_s(layout: Layout<'_>, prices: &[(&str, f64)]) -> f64 {
    let outcome = run(layout, prices).unwrap_or_else(|failure| panic!("{failure}"));
    outcome.predicted_time_s
}

/// Number of weights in a layer, and of all other weights, in the default model.
const LAYER: f64 = 12.0 * 2048.0 * 2048.0 + 13.0 * 2048.0;
const ROOT: f64 = (50_368.0 + 2048.0 + 2.0) * 2048.0;

#[test]
fn collectives_alone_take_the_time_of_their_rings() {
    // The GPUs of one node share its links. With two nodes, each GPU has a network interface.
    for (nodes, price, byte_s) in [(1, "NVLINK_GB", 1e-9), (2, "IB_GB", 1e-9 / 8.0)] {
        for (full, gathers) in [(1, 2.0), (0, 1.0)] {
            // There are enough multiprocessors for kernels and collectives.
            let parameters = [("FULL_SHARD", full), ("ACCUMULATION", 3)];
            let parameters = [&parameters[..], &[("SMS", 1 << 40), ("CHANNELS", 1)]].concat();
            let gpus = f64::from(nodes) * 8.0;
            let layers = 24.0 * LAYER * (2.0 * gathers + 4.0);
            let bytes = layers + ROOT * (2.0 + 4.0);
            let expected = 3.0 * bytes * (gpus - 1.0) / gpus * byte_s;
            assert_close(time_s((nodes, &parameters), &[(price, 1.0)]), expected);
        }
    }
}

#[test]
fn collectives_hide_behind_layers_that_take_longer() {
    let parameters = [("CHANNELS", 1), ("MICRO_BATCH", 8)];
    let compute = [("GFLOP", 1e-5)];
    let network = [("NVLINK_GB", 1e-3)];
    let alone_s = time_s((1, &parameters), &compute);
    let both_s = time_s((1, &parameters), &[compute, network].concat());
    let ring_s = |bytes: f64| bytes * 7.0 / 8.0 * 1e-12;
    // Only the first gathers and the last reductions aren't overlapped. The other collectives need
    // one of 132 multiprocessors.
    let exposed_s = ring_s((2.0 + 4.0) * (ROOT + LAYER));
    let held_s = ring_s(24.0 * (2.0 + 2.0 + 4.0) * LAYER) / 132.0;
    assert_close(both_s, alone_s + exposed_s + held_s);
}

#[test]
fn recomputation_is_a_layer_without_its_last_product() {
    let time_s = |recompute| time_s((1, &[("RECOMPUTE", recompute)]), &[("GFLOP", 1e-6)]);
    // Matrix products are computed in tiles of 256 x 128, so that 8,192 tokens take 32 rows of
    // tiles.
    let waves = |columns: f64| (32.0 * (columns / 128.0) / 132.0_f64).ceil() * 132.0;
    let tile = 2e-9 * 256.0 * 128.0 * 2048.0 * 1e-6;
    let again_s = 24.0 * tile * (waves(3.0 * 2048.0) + waves(2048.0) + waves(4.0 * 2048.0));
    let found = time_s(1) - time_s(0);
    assert_near(found, again_s, 0.02);
}

/// Returns the bytes that tensors need on a GPU of any size.
#[expect(clippy::cast_precision_loss, reason = "they are below 2^52")]
fn needed((nodes, parameters): Layout<'_>) -> f64 {
    let parameters = [parameters, &[("RESERVE_GB", 0)]].concat();
    let outcome = on_gpus((nodes, &parameters), &[], None);
    let outcome = outcome.unwrap_or_else(|failure| panic!("{failure}"));
    outcome.accelerators[0].memory_bytes as f64
}

/// S. Rajbhandari et al. (2020), table 1: gigabytes for weights, gradients and the optimizer Adam
/// on each of 64 and 256 GPUs that share all of them (ZeRO-3), and on each of 64 GPUs with complete
/// weights (ZeRO-2). Gathered weights and activations don't depend on the number of GPUs.
#[test]
fn memory_of_weights_is_what_the_paper_on_zero_says() {
    for (hidden, layers, billions, [whole_64, third_64, third_256]) in [
        (10_240, 101, 128.0, [284.0, 32.0, 8.0]),
        (25_600, 127, 1000.0, [2218.0, 250.0, 62.5]),
    ] {
        let gigabytes = |nodes, full| {
            let parameters = [("HIDDEN", hidden), ("LAYERS", layers), ("FULL_SHARD", full)];
            let parameters = [&parameters[..], &[("MICRO_BATCH", 1)]].concat();
            needed((nodes, &parameters)) / 1e9
        };
        let width = f64::from(i32::try_from(hidden).expect("it is small"));
        let count = f64::from(i32::try_from(layers).expect("it is small"));
        let weights = count * 12.0 * width * width / 1e9;
        assert!((weights / billions - 1.0).abs() < 0.01, "{weights}");
        let divided = gigabytes(8, 1) - gigabytes(32, 1);
        let published: f64 = third_64 - third_256;
        assert_near(divided, published, 0.05);
        // Two layers are always stored.
        let whole = (gigabytes(8, 0) - gigabytes(8, 1)) * count / (count - 2.0);
        let published: f64 = whole_64 - third_64;
        assert_near(whole, published, 0.05);
    }
}

/// V. Korthikanti et al. (2022): 34 bytes per value and layer if the attention's core isn't stored
/// (two of them are for dropout masks), and 2 bytes if only the inputs of layers are stored.
#[test]
fn memory_of_activations_is_what_the_papers_say() {
    let (values, logits) = (2048.0 * 2048.0, 2.0 * 2048.0 * 50_368.0);
    for (recompute, bytes) in [(0, 24.0 * 32.0), (1, 24.0 * 2.0 + 32.0)] {
        let of = |sequences| needed((1, &[("MICRO_BATCH", sequences), ("RECOMPUTE", recompute)]));
        let (found, published) = (of(2) - of(1), bytes * values + logits);
        assert_near(found, published, 0.01);
    }
}

/// Sizes of Llama 3 8B.
const LLAMA: [(&str, i64); 9] = [
    ("HIDDEN", 4096),
    ("LAYERS", 32),
    ("HEADS", 32),
    ("KV_HEADS", 8),
    ("FEED_FORWARD", 14_336),
    ("GATED", 1),
    ("TIED", 0),
    ("VOCABULARY", 128_256),
    ("MICRO_BATCH", 1),
];

/// Its published number of weights (A. Grattafiori et al., "The Llama 3 Herd of Models", 2024, and
/// its files on `HuggingFace`).
const LLAMA_WEIGHTS: f64 = 8_030_261_248.0;

#[test]
fn a_llama_has_as_many_weights_as_published() {
    // Each weight has 16 bytes on one of all GPUs; gathered weights don't depend on their number.
    let of = |nodes| needed((nodes, &LLAMA));
    assert_near(of(1) - of(2), LLAMA_WEIGHTS, 1e-6);
    // Grouped keys and values, and a network that keeps three values of its width.
    let of = |sequences| {
        let parameters = [&LLAMA[..8], &[("MICRO_BATCH", sequences)]].concat();
        needed((1, &parameters))
    };
    let value = 12.0 + 4.0 / 4.0 + 6.0 * 3.5 + 4.0 * 32.0 / 4096.0;
    let expected = 2048.0 * (32.0 * 4096.0 * value + 2.0 * 128_256.0);
    assert_near(of(2) - of(1), expected, 1e-6);
}

#[test]
fn products_of_a_llama_take_the_time_of_its_weights() {
    let parameters = [&LLAMA[..8], &[("MICRO_BATCH", 4)]].concat();
    let found = time_s((1, &parameters), &[("GFLOP", 1e-6)]);
    // A multiprocessor in 132 is idle in the last wave of tiles, or more of them.
    let matrices = LLAMA_WEIGHTS - 128_256.0 * 4096.0 - 65.0 * 4096.0;
    let expected = 6e-9 * matrices * 4.0 * 2048.0 * 1e-6;
    assert_near(found, expected, 0.05);
    let attention = time_s((1, &parameters), &[("ATTENTION_GFLOP", 1e-6)]);
    let expected = 7e-9 * 32.0 * 4096.0 * 4.0 * 2048.0 * 2048.0 * 1e-6;
    assert_near(attention, expected, 1e-9);
}

/// With replicas, nodes share no weights: gathers stay within a group of nodes, and the gradients
/// of a GPU's part are added to its likes' gradients.
#[test]
fn replicas_add_only_the_parts_of_their_gradients() {
    let time_s = |nodes, replicas: i64, price: &str| {
        let parameters = [("REPLICAS", replicas), ("SMS", 1 << 40), ("CHANNELS", 1)];
        time_s((nodes, &parameters), &[(price, 1.0)])
    };
    let weights = 24.0 * LAYER + ROOT;
    let near = 24.0 * LAYER * 8.0 + ROOT * 6.0;
    assert_close(time_s(4, 4, "NVLINK_GB"), near * 7.0 / 8.0 * 1e-9);
    assert_close(
        time_s(4, 4, "IB_GB"),
        2.0 * 3.0 / 4.0 * 4.0 * weights / 8.0 * 1e-9,
    );
    // Two groups of two nodes: rings over both nodes of a group, then pairs.
    let far = near * 15.0 / 16.0 / 8.0 + 2.0 / 2.0 * 4.0 * weights / 16.0;
    assert_close(time_s(4, 2, "IB_GB"), far * 1e-9);
    let [alone, replicated] = [1, 4].map(|replicas| needed((4, &[("REPLICAS", replicas)])));
    assert_near(
        replicated - alone,
        16.0 * weights * (1.0 / 8.0 - 1.0 / 32.0),
        1e-6,
    );
}

/// A group's GPUs divide the weights, and gather them at the same time as the other GPUs. Between
/// layers, they exchange the values of a micro-batch: eight times for a layer, twice for the loss.
#[test]
fn tensor_groups_divide_layers_and_exchange_their_values() {
    let time_s = |(nodes, tensor): (u32, i64), interfaces, price| {
        let groups = [("TENSOR", tensor), ("INTERFACES", interfaces)];
        let parameters = [&groups[..], &[("SMS", 1 << 40), ("CHANNELS", 1)]].concat();
        time_s((nodes, &parameters), &[(price, 1.0)])
    };
    let all = 24.0 * LAYER * 8.0 + ROOT * 6.0;
    for (tensor, gpus) in [(1, 16.0), (4, 4.0), (8, 2.0)] {
        let far = all * (gpus - 1.0) / gpus / 8.0 * 1e-9;
        assert_close(time_s((2, tensor), 0, "IB_GB"), far);
        assert_close(time_s((2, tensor), 2, "IB_GB"), 4.0 * far);
    }
    let values = 4.0 * 2048.0 * 2048.0;
    let near = (24.0 * 8.0 + 2.0) * 2.0 * values * 7.0 / 8.0;
    assert_close(time_s((1, 8), 0, "NVLINK_GB"), near * 1e-9);
    // Products, attention and the memory of all but gathered weights and inputs are divided.
    let gpus =
        |tensor, parameters: &[(&'static str, i64)]| [parameters, &[("TENSOR", tensor)]].concat();
    for price in ["GFLOP", "ATTENTION_GFLOP"] {
        let of = |tensor| self::time_s((1, &gpus(tensor, &[])), &[(price, 1e-6)]);
        assert_near(of(1) / of(4), 4.0, 0.05);
    }
    let of = |tensor, sequences| needed((1, &gpus(tensor, &[("MICRO_BATCH", sequences)])));
    let kept = [1, 4].map(|tensor| of(tensor, 2) - of(tensor, 1));
    let inputs = 24.0 * 4.0 * 2048.0 * 2048.0;
    assert_close(kept[1], (kept[0] - inputs) / 4.0 + inputs);
}

#[test]
fn buckets_add_the_steps_of_their_collectives() {
    let time_s = |bucket| {
        let parameters = [("BUCKET", bucket), ("SMS", 1 << 40), ("CHANNELS", 1)];
        time_s((1, &parameters), &[("NVLINK_STEP", 1.0)])
    };
    // Two gathers and a reduction for each layer, one of each for the root, of seven steps each.
    assert_close(time_s(0), 7.0 * (24.0 * 3.0 + 2.0));
    assert_close(time_s(1 << 40), time_s(0));
    let pieces = 24.0 * 3.0 * (LAYER / 1e7).ceil() + 2.0 * (ROOT / 1e7).ceil();
    assert_close(time_s(10_000_000), 7.0 * pieces);
}

#[test]
fn a_layout_that_does_not_fit_is_refused() {
    for (parameter, node) in [
        (("HEADS", 3), "HeadsFit"),
        (("PRECISION", 4), "ValuesFit"),
        (("FULL_SHARD", 2), "ValuesFit"),
        (("CHANNELS", 132), "ChannelsFit"),
        (("KV_HEADS", 3), "HeadsFit"),
        (("GATED", 2), "ValuesFit"),
        (("TIED", 2), "ValuesFit"),
        (("REPLICAS", 2), "ReplicasFit"),
        (("BUCKET", -1), "ValuesFit"),
        (("INTERFACES", -1), "ValuesFit"),
        (("TENSOR", 3), "HeadsFit"),
        (("TENSOR", 16), "HeadsFit"),
        (("LAYERS", 0), "SizesFit"),
    ] {
        let failure = run((1, &[parameter]), &[])
            .expect_err("it does not fit")
            .to_string();
        let expected = format!("node `{node}`");
        assert!(failure.contains(&expected), "{parameter:?}: {failure}");
    }
    let failure = run((1, &[("MICRO_BATCH", 64)]), &[]).expect_err("80 GB are too few");
    let told = [
        "the processes of the accelerator `H100` need ",
        " GB together, but it has 80 GB",
        "kernel `GatherRoot`",
    ];
    assert_says(failure.to_string(), &told);
}
