//! Tests that the pipeline of the sample `megatron` takes the time given by the formula of its
//! schedule.

use prophet_runtime::{Configuration, Engine, Failure, Outcome, Simulation, System, Value};
use prophet_testing::{assert_close, assert_says};
use prophet_tests::samples::{fsdp, megatron};
use prophet_tests::{built, programs::json, root};

#[derive(Debug, Clone, Copy)]
struct Layout<'a> {
    nodes: u32,
    processes: u32,
    parameters: &'a [(&'a str, i64)],
}

/// Runs the model on nodes with eight GPUs, with these prices in seconds. All other prices are 0.
fn run(layout: Layout, prices: &[(&str, f64)]) -> Result<Outcome, Failure> {
    run_on(layout, prices, 80.0)
}

/// Runs the model on GPUs with `gigabytes` (10^9 bytes) of memory.
fn run_on(layout: Layout, prices: &[(&str, f64)], gigabytes: f64) -> Result<Outcome, Failure> {
    run_by(Engine::Local, layout, prices, gigabytes)
}

fn run_by(
    engine: Engine,
    layout: Layout,
    prices: &[(&str, f64)],
    gigabytes: f64,
) -> Result<Outcome, Failure> {
    let model = &megatron::MODEL;
    let mut system = System::new(layout.nodes, 8, layout.processes, 1);
    system.parameters = model.defaults();
    // Published memory is what tensors need.
    for (name, value) in [&[("RESERVE_GB", 0)], layout.parameters].concat() {
        let named = |it: &prophet_runtime::Parameter| it.name == name;
        let index = model.parameters.iter().position(named);
        let given = &mut system.parameters[index.expect("the model has it")];
        *given = match given {
            Value::Real(_) => Value::Real(count_of(value)),
            _ => Value::Int(value),
        };
    }
    let named = model.parameters.iter().position(|it| it.name == "GPU_GB");
    system.parameters[named.expect("the model has it")] = Value::Real(gigabytes);
    for opcode in model.opcodes {
        system.prices.set(opcode.name, 0.0);
    }
    for (name, price_s) in prices {
        system.prices.set(name, *price_s);
    }
    let simulation = Simulation::new(model, system).with_engine(engine);
    simulation.run(megatron::program)
}

fn done(layout: Layout, prices: &[(&str, f64)]) -> Outcome {
    run(layout, prices).unwrap_or_else(|failure| panic!("{failure}"))
}

fn longest_s(outcome: &Outcome, name: &str) -> f64 {
    let element = outcome.elements.iter().find(|it| it.name == name);
    element.expect("it is executed").max_s
}

fn count(outcome: &Outcome, name: &str) -> u64 {
    let element = outcome.elements.iter().find(|it| it.name == name);
    element.map_or(0, |it| it.count)
}

/// D. Narayanan et al. (2021), section 2.2: a pipeline of p stages is idle during p - 1 forward and
/// backward passes, divided by the number of chunks.
#[test]
fn the_pipeline_takes_the_time_of_its_formula() {
    for (stages, chunks, micro_batches) in [
        (8, 1, 8),
        (8, 1, 3),
        (8, 1, 40),
        (4, 3, 8),
        (8, 2, 8),
        (2, 6, 64),
        (1, 4, 5),
    ] {
        let parameters = [
            ("LAYERS", 48),
            ("INTERLEAVE", i64::from(chunks)),
            ("BATCH", i64::from(micro_batches)),
            ("TENSOR", 8),
        ];
        let parameters = [&parameters[..], &[("HEADS", 32)]].concat();
        let layout = Layout {
            nodes: stages,
            processes: stages,
            parameters: &parameters,
        };
        // For each layer, a forward pass takes 30 times this price, and a backward pass 40 times.
        let outcome = done(layout, &[("DISPATCH", 1e-3)]);
        let stage_s = 48.0 / f64::from(stages) * (30.0 + 40.0) * 1e-3;
        let chunks = f64::from(if stages > 1 { chunks } else { 1 });
        let bubble_s = f64::from(stages - 1) * stage_s / chunks;
        let expected = f64::from(micro_batches) * stage_s + bubble_s;
        assert_close(outcome.predicted_time_s, expected);
    }
}

/// Megatron-LM's kernel for scale, mask and softmax needs a multiple of four heads per GPU, in all
/// sequences together (`fused_softmax.py`). Otherwise `PyTorch` launches five kernels, which move
/// 37 bytes per score forward and 41 backward.
#[test]
fn softmax_without_its_kernel_takes_five() {
    let sequence = 1024;
    let time_s = |heads: i64, micro_batch: i64, price: &str| {
        let parameters = [
            ("LAYERS", 8),
            ("HIDDEN", 1024),
            ("HEADS", heads),
            ("TENSOR", 8),
            ("SEQUENCE", sequence),
            ("MICRO_BATCH", micro_batch),
            ("BATCH", micro_batch),
        ];
        let layout = Layout {
            nodes: 1,
            processes: 1,
            parameters: &parameters,
        };
        done(layout, &[(price, 1.0)]).predicted_time_s
    };
    assert_close(time_s(32, 1, "DISPATCH"), 8.0 * 70.0);
    assert_close(time_s(16, 2, "DISPATCH"), 8.0 * 70.0);
    assert_close(time_s(16, 1, "DISPATCH"), 8.0 * 78.0);
    // Two heads of one sequence on each GPU have half the scores of four.
    let moved = 2.0 * time_s(16, 1, "HBM_GB") - time_s(32, 1, "HBM_GB");
    let other = 2.0 * time_s(8, 1, "HBM_GB") - time_s(16, 1, "HBM_GB");
    let scores = 8.0 * count_of(sequence * sequence) * 1e-9;
    assert_close(moved - other, scores * 4.0 * (37.0 + 41.0 - 4.0 - 6.0));
}

/// P. Qi et al. (Zero Bubble Pipeline Parallelism, 2024), table 1: if the gradients of weights (W)
/// are computed after the gradients of inputs (B), a pipeline is idle for (p - 1) (F + B - W) with
/// ZB-H1, and for (p - 1) (F + B - 2W) with ZB-H2. Its stages end in the order in which they start,
/// one F apart.
#[test]
fn zero_bubble_schedules_take_the_times_of_their_formulas() {
    for (stages, micro_batches, sequence) in [
        (4, 8, 512),
        (4, 8, 16_384),
        (8, 21, 1_024),
        (2, 64, 2_048),
        (1, 4, 512),
    ] {
        for schedule in [0, 1, 2] {
            let parameters = [
                ("LAYERS", 16),
                ("HIDDEN", 2_048),
                ("HEADS", 16),
                ("VOCABULARY", 0),
                ("SEQUENCE", sequence),
                ("BATCH", i64::from(micro_batches)),
                ("TENSOR", 8),
                ("ZERO_BUBBLE", schedule),
            ];
            let layout = Layout {
                nodes: stages,
                processes: stages,
                parameters: &parameters,
            };
            let run = |engine| run_by(engine, layout, &[("GFLOP", 1e-5)], 1e6);
            let outcome = run(Engine::Local).unwrap_or_else(|failure| panic!("{failure}"));
            let [forward_s, backward_s] =
                ["Layers", "LayersBackward"].map(|name| longest_s(&outcome, name));
            let weights_s = if schedule > 0 {
                longest_s(&outcome, "WeightGradients")
            } else {
                0.0
            };
            let bubble_s = match schedule {
                0 => forward_s + backward_s,
                1 => forward_s + backward_s - weights_s,
                _ => forward_s + (backward_s - 2.0 * weights_s).max(0.0),
            };
            let passes_s = f64::from(micro_batches) * (forward_s + backward_s + weights_s);
            let expected = passes_s + f64::from(stages - 1) * bubble_s;
            assert_close(outcome.predicted_time_s, expected);
            let by_events = run(Engine::Event).map(|outcome| outcome.predicted_time_s);
            assert_eq!(
                by_events,
                Ok(outcome.predicted_time_s),
                "{stages} {schedule}"
            );
        }
    }
}

/// Qi et al., table 1: ZB-H1 stores the activations of p micro-batches, as 1F1B does. ZB-H2 stores
/// the activations of 2p - 1.
#[test]
fn zero_bubble_schedules_keep_the_activations_of_the_paper() {
    let least = |schedule| {
        let parameters = [
            ("LAYERS", 16),
            ("HIDDEN", 4_096),
            ("HEADS", 32),
            ("VOCABULARY", 0),
            ("SEQUENCE", 8_192),
            ("BATCH", 8),
            ("TENSOR", 8),
            ("ZERO_BUBBLE", schedule),
        ];
        least_gigabytes(|gigabytes| {
            let layout = Layout {
                nodes: 4,
                processes: 4,
                parameters: &parameters,
            };
            run_on(layout, &[], gigabytes)
        })
    };
    let [one, first, second] = [0, 1, 2].map(least);
    let layer = 10.0 + 24.0 / 8.0 + 5.0 * 32.0 * 8192.0 / (4096.0 * 8.0);
    let kept = 16.0 / 4.0 * 8192.0 * 4096.0 * layer / 1e9;
    assert_eq!(one.to_bits(), first.to_bits());
    assert!(
        (second - one - 3.0 * kept).abs() < 0.02,
        "{second} {one} {kept}"
    );
}

/// A small model that fits into one stage, without the work for a vocabulary.
const FOUR_LAYERS: [(&str, i64); 6] = [
    ("LAYERS", 4),
    ("HIDDEN", 2_048),
    ("HEADS", 16),
    ("VOCABULARY", 0),
    ("SEQUENCE", 8_192),
    ("SMS", 1),
];

/// H. Liu et al. (Ring Attention, 2023): c GPUs share the tokens of a sequence. They pass on keys
/// and values in c - 1 steps of 4bsh/c bytes. The attention hides these steps if it takes longer.
#[test]
fn gpus_that_share_sequences_share_work_memory_and_messages() {
    let of = |context, prices: &[(&str, f64)]| {
        let own = [("BATCH", 8 / context), ("CONTEXT", context)];
        let parameters = [&FOUR_LAYERS[..], &own].concat();
        let layout = Layout {
            nodes: 1,
            processes: 1,
            parameters: &parameters,
        };
        let least = least_gigabytes(|gigabytes| run_on(layout, prices, gigabytes));
        let outcome = run_on(layout, prices, least).unwrap_or_else(|failure| panic!("{failure}"));
        (outcome, least)
    };
    let (alone, memory) = of(1, &[("GFLOP", 1e-5)]);
    let states = 16.0 * 4.0 * (12.0 * 2048.0 + 13.0) * 2048.0 / 1e9;
    for context in [2, 4, 8] {
        let share = 1.0 / count_of(context);
        let (outcome, least) = of(context, &[("GFLOP", 1e-5)]);
        for name in ["Layers", "LayersBackward"] {
            assert_close(longest_s(&outcome, name), share * longest_s(&alone, name));
        }
        assert!(
            (least - states - share * (memory - states)).abs() < 0.02,
            "{context}: {least}"
        );
        let byte_s = 1e-12;
        let sent = 4.0 * (count_of(context) - 1.0) * share * 4.0 * 8192.0 * 2048.0 * byte_s;
        let (outcome, _) = of(context, &[("NVLINK_GB", byte_s * 1e9)]);
        assert_close(longest_s(&outcome, "TensorParallelForward"), sent);
        assert_close(longest_s(&outcome, "TensorParallelBackward"), 2.0 * sent);
        let (outcome, _) = of(context, &[("NVLINK_GB", byte_s * 1e9), ("GFLOP", 1.0)]);
        assert_eq!(longest_s(&outcome, "TensorParallelForward").to_bits(), 0);
    }
}

/// Runs the four layers on one node, with other parameters.
fn changed(
    own: &[(&str, i64)],
    prices: &[(&str, f64)],
    gigabytes: f64,
) -> Result<Outcome, Failure> {
    let parameters = [&FOUR_LAYERS[..], &[("BATCH", 8)], own].concat();
    let layout = Layout {
        nodes: 1,
        processes: 1,
        parameters: &parameters,
    };
    run_on(layout, prices, gigabytes)
}

fn changed_s(own: &[(&str, i64)], prices: &[(&str, f64)], name: &str) -> f64 {
    let outcome = changed(own, prices, 1e4).unwrap_or_else(|failure| panic!("{failure}"));
    longest_s(&outcome, name)
}

const LLAMA: [(&str, i64); 4] = [
    ("GATED", 1),
    ("FLASH", 1),
    ("KV_HEADS", 4),
    ("FEED_FORWARD", 5_632),
];

/// There are four groups of four heads that share keys and values, and the feed-forward network has
/// three matrices.
#[test]
fn layers_as_of_llama_multiply_and_keep_what_their_sizes_say() {
    let (tokens, hidden, wide) = (8192.0, 2048.0, 5632.0);
    let matrices = 2.5 * hidden * hidden + 3.0 * wide * hidden;
    for (precision, speed) in [(16, 1.0), (8, 2.0)] {
        let own = [&LLAMA[..], &[("PRECISION", precision)]].concat();
        for (name, passes) in [("Layers", 1.0), ("LayersBackward", 2.0)] {
            let found = changed_s(&own, &[("GFLOP", 1.0)], name);
            assert_close(found, passes * 4.0 * 2e-9 * tokens * matrices / speed);
        }
    }
    for (recompute, name, halves) in [(0, "Layers", 2.0), (1, "LayersBackward", 5.0)] {
        let own = [&LLAMA[..], &[("RECOMPUTE", recompute)]].concat();
        let found = changed_s(&own, &[("ATTENTION_GFLOP", 1.0)], name);
        assert_close(found, 4.0 * halves * 1e-9 * tokens * hidden * tokens);
    }
    let least = least_gigabytes(|gigabytes| changed(&LLAMA, &[], gigabytes));
    let kept = (8.0 + 5.0) * hidden + 6.0 * wide + 4.0 * 16.0;
    let expected = 4.0 * (16.0 * (matrices + 2.0 * hidden) + tokens * kept) / 1e9;
    assert!((least - expected).abs() < 0.02, "{least} {expected}");
}

/// Replicas that share the optimizer send three quarters of the bytes and need less memory. All
/// layers except one are hidden by the passes.
#[test]
fn collectives_beside_passes_are_seen_for_one_layer() {
    let weights = 4.0 * (12.0 * 2048.0 + 13.0) * 2048.0;
    let byte = 1e-9 * 7.0 / 8.0;
    for (shares, bytes) in [(0, 8.0), (1, 6.0)] {
        let own = [
            ("GRADIENT_BYTES", 4),
            ("SHARD_OPTIMIZER", shares),
            ("OVERLAP", 0),
        ];
        let beside = [own[0], own[1], ("OVERLAP", 1)];
        let (price, slow) = ([("NVLINK_GB", 1.0)], [("NVLINK_GB", 1.0), ("GFLOP", 1.0)]);
        let all = bytes * byte * weights;
        assert_close(changed_s(&own, &price, "DataAllReduce"), all);
        assert_close(changed_s(&beside, &price, "DataAllReduce"), all);
        assert_close(changed_s(&beside, &slow, "DataAllReduce"), all / 4.0);
        let least = least_gigabytes(|gigabytes| changed(&own, &[], gigabytes));
        let states = if shares == 0 { 18.0 } else { 7.5 };
        let kept = 8192.0 * 2048.0 * 4.0 * (34.0 + 5.0 * 16.0 * 8192.0 / 2048.0);
        let expected = (states * weights + kept) / 1e9;
        assert!((least - expected).abs() < 0.03, "{least} {expected}");
    }
}

/// Each of two GPUs sends its half during matrix products, except for the first of two parts. Two
/// collectives for the embedding and the logits aren't overlapped.
#[test]
fn collectives_beside_products_are_seen_for_one_part() {
    let own = |overlap| {
        [
            ("TENSOR", 2),
            ("SEQUENCE_PARALLEL", 1),
            ("OVERLAP", overlap),
        ]
    };
    let (price, slow) = ([("NVLINK_GB", 1.0)], [("NVLINK_GB", 1.0), ("GFLOP", 1.0)]);
    for (name, number) in [
        ("TensorParallelForward", 4.0),
        ("TensorParallelBackward", 6.0),
    ] {
        let each = 1e-9 * 2.0 * 8192.0 * 2048.0 / 2.0;
        for (overlap, prices, seen) in [(1, &slow[..], 1.0), (2, &price, 1.0), (2, &slow, 0.5)] {
            assert_close(
                changed_s(&own(overlap), prices, name),
                (4.0 * number * seen + 2.0) * each,
            );
        }
    }
}

/// Logits can have separate weights. These are stored in the last stage, or double the weights of a
/// single stage.
#[test]
fn logits_may_have_weights_of_their_own() {
    let least = |tied| {
        let own = [("TIED", tied), ("VOCABULARY", 51_200)];
        least_gigabytes(|gigabytes| changed(&own, &[], gigabytes))
    };
    let expected = 16.0 * 51_200.0 * 2048.0 / 1e9;
    assert!((least(0) - least(1) - expected).abs() < 0.02);
    let layout = |tied| Layout {
        nodes: 1,
        processes: 8,
        parameters: if tied { &[] } else { &[("TIED", 0)] },
    };
    assert_eq!(count(&done(layout(true), &[]), "EmbeddingAllReduce"), 2);
    assert_eq!(count(&done(layout(false), &[]), "EmbeddingAllReduce"), 0);
}

/// Layers, tokens and hidden size of [`FOUR_LAYERS`], and the number of experts in
/// [`with_experts`].
const SIZES: [f64; 4] = [4.0, 8192.0, 2048.0, 256.0];

/// Runs a model with one stage and 256 experts. The array contains the number of experts that
/// compute each token (0 for a dense layer), the capacity factor, and the number of GPUs that share
/// the experts.
fn with_experts(
    nodes: i64,
    [top_k, capacity, shared]: [i64; 3],
    prices: &[(&str, f64)],
    gigabytes: f64,
) -> Result<Outcome, Failure> {
    let own = [
        ("BATCH", 8 * nodes),
        ("EXPERTS", if top_k > 0 { 256 } else { 1 }),
        ("TOP_K", top_k.max(1)),
        ("CAPACITY", capacity),
        ("EXPERT_PARALLEL", shared),
    ];
    let parameters = [&FOUR_LAYERS[..], &own].concat();
    let layout = Layout {
        nodes: u32::try_from(nodes).expect("it is small"),
        processes: 1,
        parameters: &parameters,
    };
    run_on(layout, prices, gigabytes)
}

/// D. Lepikhin et al. (2020): experts compute k f tokens for each incoming token, where f is the
/// capacity factor. If e GPUs share E experts, each has E/e of them.
#[test]
fn experts_share_work_and_memory() {
    let [layers, tokens, hidden, experts] = SIZES;
    let price = [("GFLOP", 1e-5)];
    let of = |layout| {
        let least = least_gigabytes(|gigabytes| with_experts(1, layout, &price, gigabytes));
        let outcome = with_experts(1, layout, &price, least);
        (outcome.unwrap_or_else(|failure| panic!("{failure}")), least)
    };
    let (dense, memory) = of([0, 1, 1]);
    for [top_k, capacity, shared] in [[8, 1, 1], [8, 1, 4], [8, 2, 8], [1, 1, 8]] {
        let (outcome, least) = of([top_k, capacity, shared]);
        let copies = count_of(top_k * capacity);
        let mlp = 8.0 * hidden * hidden;
        let more = 2.0 * tokens * ((copies - 1.0) * mlp + experts * hidden) * layers * 1e-14;
        for (name, products) in [("Layers", 1.0), ("LayersBackward", 2.0)] {
            let expected = longest_s(&dense, name) + products * more;
            assert_close(longest_s(&outcome, name), expected);
        }
        let owned = experts / count_of(shared) - 1.0;
        let weights = layers * (owned * (mlp + 5.0 * hidden) + experts * hidden);
        let kept = layers * tokens * hidden * (16.0 * (copies - 1.0) + 4.0 * copies);
        let expected = (16.0 * weights + kept) / 1e9;
        assert!(
            (least - memory - expected).abs() < 0.03,
            "{least} {memory} {expected}"
        );
    }
}

/// All-to-all: each of e GPUs sends an e-th of its copies of tokens to every other GPU, and gets
/// the results back. They use `NVLink` or their own ports. The experts' gradients are added over e
/// times fewer replicas.
#[test]
fn gpus_that_share_experts_exchange_tokens() {
    let [layers, tokens, hidden, experts] = SIZES;
    let (nvlink_s, infiniband_s) = (1e-12, 50e-12);
    let prices = [("NVLINK_GB", nvlink_s * 1e9), ("IB_GB", infiniband_s * 1e9)];
    for (nodes, shared) in [(1, 2), (1, 8), (2, 2), (2, 16)] {
        let outcome = with_experts(nodes, [8, 2, shared], &prices, 1e6);
        let outcome = outcome.unwrap_or_else(|failure| panic!("{failure}"));
        let (gpus, sharers) = (8.0 * count_of(nodes), count_of(shared));
        let part = 2.0 * 16.0 * tokens * hidden / sharers;
        let exchange_s = if shared > 8 {
            part * (sharers - 8.0) * infiniband_s
        } else {
            part * (sharers - 1.0) * nvlink_s
        };
        for name in ["TensorParallelForward", "TensorParallelBackward"] {
            assert_close(longest_s(&outcome, name), 2.0 * layers * exchange_s);
        }
        let added = |weights: f64, replicas: f64| {
            let near = (replicas / count_of(nodes)).max(1.0);
            let byte_s = if nodes > 1 && replicas > near {
                infiniband_s / near
            } else {
                nvlink_s
            };
            2.0 * (replicas - 1.0) / replicas * 2.0 * layers * weights * byte_s
        };
        let mlp = experts / sharers * (8.0 * hidden + 5.0) * hidden;
        let others = (4.0 * hidden + 8.0 + experts) * hidden;
        let expected = added(others, gpus) + added(mlp, gpus / sharers);
        assert_close(longest_s(&outcome, "DataAllReduce"), expected);
    }
}

/// For each micro-batch and stage, the pipeline on 3,072 GPUs sends only one message in each
/// direction.
#[test]
fn thousands_of_gpus_are_one_replica() {
    let parameters = [
        ("LAYERS", 128),
        ("HEADS", 160),
        ("HIDDEN", 25_600),
        ("TENSOR", 8),
        ("BATCH", 3_072),
        ("RECOMPUTE", 2),
    ];
    let layout = Layout {
        nodes: 384,
        processes: 64,
        parameters: &parameters,
    };
    let outcome = done(layout, &[("GFLOP", 4e-6), ("IB_GB", 5e-2)]);
    assert_eq!(outcome.evaluation.messages, 2 * 63 * 512);
    assert_eq!(count(&outcome, "Recomputation"), 64 * 512);
    assert_eq!(count(&outcome, "DataAllReduce"), 64);
    assert_eq!(count(&outcome, "Loss"), 512);
}

/// Replicas add gradients in rings. Within a node, a byte costs as much as on the node's links.
/// Between nodes, GPUs with the same layers share the network interfaces of their node.
#[test]
fn replicas_add_their_gradients_over_what_lies_between_them() {
    let (nvlink_s, infiniband_s) = (1e-9, 50e-9);
    for (nodes, tensor, nics, byte_s) in [
        (1, 2, 0, nvlink_s),
        (4, 8, 0, infiniband_s),
        (4, 4, 0, infiniband_s / 2.0),
        (4, 1, 0, infiniband_s / 8.0),
        (4, 1, 4, infiniband_s / 4.0),
        (4, 8, 2, infiniband_s * 4.0),
    ] {
        let sizes = [("HEADS", 16), ("BATCH", 32)];
        let parameters = [sizes, [("TENSOR", tensor), ("INTERFACES", nics)]].concat();
        let layout = Layout {
            nodes,
            processes: 1,
            parameters: &parameters,
        };
        let prices = [("NVLINK_GB", nvlink_s * 1e9), ("IB_GB", infiniband_s * 1e9)];
        let outcome = done(layout, &prices);
        let tensor = f64::from(i32::try_from(tensor).expect("it is small"));
        let replicas = f64::from(nodes) * 8.0 / tensor;
        let layers = 48.0 * (12.0 * 1600.0 * 1600.0 / tensor + 13.0 * 1600.0);
        let bytes = 2.0 * (layers + 50_304.0 * 1600.0 / tensor);
        let expected = 2.0 * (replicas - 1.0) / replicas * bytes * byte_s;
        assert_close(longest_s(&outcome, "DataAllReduce"), expected);
    }
}

#[test]
fn a_layout_that_does_not_fit_is_refused() {
    for (processes, parameters, node) in [
        (8, "TENSOR=3", "GpusFit"),
        (8, "LAYERS=50", "LayersFit"),
        (8, "HIDDEN=-4096", "SizesFit"),
        (8, "RECOMPUTE=3", "ValuesFit"),
        (8, "MICRO_BATCH=5", "BatchFits"),
        (8, "INTERLEAVE=2 BATCH=36", "InterleavingFits"),
        (8, "TENSOR=16", "GpusFit"),
        (8, "ZERO_BUBBLE=1 INTERLEAVE=2", "InterleavingFits"),
        (8, "ZERO_BUBBLE=3", "ValuesFit"),
        (1, "CONTEXT=3", "GpusFit"),
        (1, "CONTEXT=8 SEQUENCE=1000", "SequencesFit"),
        (1, "EXPERTS=4 TOP_K=5", "ExpertsFit"),
        (1, "EXPERTS=12 EXPERT_PARALLEL=8", "ExpertsFit"),
        (1, "EXPERTS=16 EXPERT_PARALLEL=16", "ExpertsFit"),
        (1, "EXPERTS=8 TENSOR=2 HEADS=16", "ExpertsFit"),
        (1, "EXPERTS=8 CAPACITY=0", "ExpertsFit"),
        (1, "KV_HEADS=3", "HeadsFit"),
        (1, "KV_HEADS=1 TENSOR=2 HEADS=16", "HeadsFit"),
        (1, "FEED_FORWARD=99 TENSOR=2 HEADS=16", "HeadsFit"),
        (1, "GATED=2", "ValuesFit"),
        (1, "FLASH=2", "ValuesFit"),
        (1, "TIED=2", "ValuesFit"),
        (1, "PRECISION=4", "ValuesFit"),
        (1, "SHARD_OPTIMIZER=2", "ValuesFit"),
        (1, "OVERLAP=3", "ValuesFit"),
        (1, "INTERFACES=-1", "ValuesFit"),
        (1, "OVERLAP=2 TENSOR=2 HEADS=16", "ValuesFit"),
    ] {
        let parameter = |it: &'static str| {
            let (name, value) = it.split_once('=').expect("a value");
            (name, value.parse().expect("a number"))
        };
        let layout = Layout {
            nodes: 1,
            processes,
            parameters: &{ parameters.split(' ') }.map(parameter).collect::<Vec<_>>(),
        };
        let failure = run(layout, &[]).expect_err("it does not fit").to_string();
        let expected = format!("at 0 s of simulated time, process 0, node `{node}`");
        assert!(failure.contains(&expected), "{parameters}: {failure}");
    }
}

/// Configurations in Korthikanti et al. (2022), table 3, with interleaving and without data
/// parallelism.
const MODELS: [(u32, i64, i64, i64, i64, i64); 4] = [
    // stages, chunks, heads, hidden size, layers, sequences per micro-batch
    (1, 1, 64, 6_144, 48, 4),
    (8, 3, 96, 12_288, 96, 1),
    (35, 3, 128, 20_480, 105, 1),
    (64, 1, 160, 25_600, 128, 1),
];

/// Returns the result of a run on GPUs with this memory. The run either stores all activations or
/// uses the paper's method.
fn with_memory(
    model: usize,
    (saves, gradient_bytes): (bool, i64),
    gigabytes: f64,
) -> Result<Outcome, Failure> {
    let (stages, chunks, heads, hidden, layers, micro_batch) = MODELS[model];
    let saves = i64::from(saves);
    let parameters = [
        ("TENSOR", 8),
        ("INTERLEAVE", chunks),
        ("HEADS", heads),
        ("HIDDEN", hidden),
        ("LAYERS", layers),
        ("SEQUENCE", 2_048),
        ("VOCABULARY", 51_200),
        ("MICRO_BATCH", micro_batch),
        ("BATCH", 2 * micro_batch * i64::from(stages)),
        ("RECOMPUTE", saves),
        ("SEQUENCE_PARALLEL", saves),
        ("GRADIENT_BYTES", gradient_bytes),
    ];
    let layout = Layout {
        nodes: stages,
        processes: stages,
        parameters: &parameters,
    };
    run_on(layout, &[], gigabytes)
}

/// Figure 1 of Korthikanti et al.: with tensor parallelism alone, none of the four models fits into
/// 80 GB. With selective recomputation and sequence parallelism, all of them do.
#[test]
fn models_fit_into_80_gigabytes_as_published() {
    for model in 0..MODELS.len() {
        let failure = with_memory(model, (false, 2), 80.0).expect_err("it does not fit");
        let told = [
            " <= 80 is false, and there is no else branch\n",
            "--recompute 1",
            "node `MemoryFits`",
        ];
        assert_says(failure.to_string(), &told);
        with_memory(model, (true, 2), 80.0).unwrap_or_else(|failure| panic!("{model}: {failure}"));
    }
}

/// A GPU keeps a reserve of 9 GB, unless the user chooses another one.
#[test]
fn memory_has_a_reserve() {
    let least = |reserve: &[(&str, i64)]| {
        let layout = Layout {
            nodes: 1,
            processes: 8,
            parameters: reserve,
        };
        least_gigabytes(|gigabytes| run_on(layout, &[], gigabytes))
    };
    let model = &megatron::MODEL;
    let mut parameters = model.parameters.iter();
    let reserve = parameters.find(|it| it.name == "RESERVE_GB");
    let reserve = reserve.map(|it| it.default);
    assert_eq!(reserve, Some(Value::Real(9.0)));
    let added = least(&[("RESERVE_GB", 9)]) - least(&[]);
    assert!((added - 9.0).abs() < 0.03, "{added}");
}

/// Korthikanti et al., table 2 and equations 5 and 6, on the first stage: a layer needs sbh (34/t)
/// bytes with both methods, and sbh (10 + 24/t + 5as/(ht)) bytes with tensor parallelism alone.
/// There are L layers, or L (1 + (p - 1)/(pv)) with interleaving.
#[test]
fn memory_is_what_the_paper_says() {
    for (model, (stages, chunks, heads, hidden, layers, micro_batch)) in
        MODELS.iter().copied().enumerate()
    {
        let (stages, chunks) = (f64::from(stages), count_of(chunks));
        let [a, h, l, b] = [heads, hidden, layers, micro_batch].map(count_of);
        let interleaved = if chunks > 1.0 {
            1.0 + (stages - 1.0) / (stages * chunks)
        } else {
            1.0
        };
        let weights = l / stages * (12.0 * h * h / 8.0 + 13.0 * h) + 51_200.0 * h / 8.0;
        for (saves, bytes) in [
            (false, 10.0 + 24.0 / 8.0 + 5.0 * a * 2048.0 / (h * 8.0)),
            (true, 34.0 / 8.0),
        ] {
            let activations = 2048.0 * b * h * bytes * l * interleaved;
            let expected = (16.0 * weights + activations) / 1e9;
            let least = least_gigabytes(|gigabytes| with_memory(model, (saves, 2), gigabytes));
            let error = (least / expected - 1.0).abs();
            assert!(
                error <= 0.05,
                "{model}, {saves}: {least} instead of {expected}"
            );
        }
    }
}

/// Figure 1 of Korthikanti et al., without the embedding. The numbers are in 2^30 bytes, as the
/// authors of Calculon read them (`validation.py`): weights, single-precision gradients and the
/// optimizer; then activations with tensor parallelism alone, and with the paper's method.
#[test]
fn memory_is_what_the_figure_shows() {
    let figure = [
        [45.5625, 59.25, 9.5625],
        [45.5625, 66.843_75, 12.351_562_5],
        [31.640_625, 114.023_437_5, 23.076_171_875],
        [32.958_984_375, 131.25, 26.5625],
    ];
    for (model, [states, all, saved]) in figure.into_iter().enumerate() {
        let embedding = 18.0 * 51_200.0 * count_of(MODELS[model].3) / 8.0;
        for (saves, activations) in [(false, all), (true, saved)] {
            let expected = ((states + activations) * 2.0_f64.powi(30) + embedding) / 1e9;
            let least = least_gigabytes(|gigabytes| with_memory(model, (saves, 4), gigabytes));
            let error = (least / expected - 1.0).abs();
            assert!(
                error <= 0.02,
                "{model}, {saves}: {least} instead of {expected}"
            );
        }
    }
}

/// Tests that `--config` gives the same parameters and the same prediction as the corresponding
/// flags.
#[test]
fn a_published_language_model_is_its_sizes() {
    let flags = |more: &str| {
        let layout = "--machine h100-te --nodes 8 --processes 4 --tensor 4 --context 2 --batch 64 \
                      --sequence 8192 --flash 1 --shard-optimizer 1 --sequence-parallel 1";
        let run = "run sample-models/megatron.uml --evaluate interpreted --format json --";
        let words = format!("{run} {layout} {more}");
        let output = built::xtask(&root())
            .args(words.split_whitespace())
            .output();
        let mut result = json(&output.expect("it can be started"));
        result["evaluation"].take();
        result
    };
    let sizes = "--hidden 4096 --layers 32 --heads 32 --kv-heads 8 --feed-forward 14336 --gated 1 \
                 --tied 0 --vocabulary 128256";
    let result = flags(sizes);
    assert!(
        result["predicted_time_s"]
            .as_f64()
            .is_some_and(|it| it > 0.0),
        "{result}"
    );
    assert_eq!(flags("--config llama-3-8b"), result);
    let wider = sizes.replace("--hidden 4096", "--hidden 8192");
    assert_eq!(flags("--hidden 8192 --config llama-3-8b"), flags(&wider));

    let read = |flags: &[&str]| Configuration::read(&fsdp::MODEL, flags);
    let parameters = |flags: &[&str]| read(flags)?.system().map(|it| it.parameters);
    let sizes = [
        "--hidden",
        "1600",
        "--layers",
        "48",
        "--heads",
        "25",
        "--vocabulary",
        "50257",
        "--kv-heads",
        "25",
        "--feed-forward",
        "6400",
    ];
    assert_eq!(parameters(&["--config", "gpt2-xl"]), parameters(&sizes));
    let refused = read(&["--config", "mixtral-8x7b"]).expect_err("it has experts");
    assert_says(
        refused.to_string(),
        &["mixtral-8x7b: the model lacks parameters for EXPERTS (8), TOP_K (2)"],
    );
}

/// Returns the smallest GPU memory with which a run succeeds, to within 10^7 bytes.
fn least_gigabytes(run: impl Fn(f64) -> Result<Outcome, Failure>) -> f64 {
    let (mut low, mut high) = (1.0, 1000.0);
    while high - low > 0.01 {
        let middle = f64::midpoint(low, high);
        match run(middle) {
            Ok(_) => high = middle,
            Err(_) => low = middle,
        }
    }
    high
}

fn count_of(value: i64) -> f64 {
    f64::from(i32::try_from(value).expect("it is small"))
}
