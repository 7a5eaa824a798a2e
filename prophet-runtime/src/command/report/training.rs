//! Computes the speed of a training from the predicted time and the sizes of the language model.

use prophet_machine::accelerator::Precision;
use prophet_machine::system::System;
use prophet_machine::value::Value;
use prophet_result::Training;

use crate::language::model::Model;

/// The parameters of a run, by name.
struct Sizes<'a> {
    model: &'a Model,
    values: &'a [Value],
}

impl Sizes<'_> {
    /// Returns a parameter's value; `None` if the model lacks the parameter.
    fn get(&self, name: &str) -> Option<f64> {
        let mut names = self.model.parameters.iter().map(|it| it.name);
        let value = self.values.get(names.position(|it| it == name)?)?;
        #[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^52")]
        Some(match *value {
            Value::Int(count) => count as f64,
            Value::Real(number) => number,
            Value::Bool(is) => f64::from(u8::from(is)),
        })
    }

    /// Returns a parameter's value; `default` if the parameter is 0 or missing.
    fn or(&self, name: &str, default: f64) -> f64 {
        self.get(name).filter(|it| *it > 0.0).unwrap_or(default)
    }

    /// Returns the tokens of an iteration.
    fn tokens(&self, gpus: f64) -> Option<f64> {
        let of_micro_batches = || {
            let groups = gpus / self.or("TENSOR", 1.0);
            Some(groups * self.get("MICRO_BATCH")? * self.get("ACCUMULATION")?)
        };
        let sequences = self.get("BATCH").or_else(of_micro_batches)?;
        Some(sequences * self.get("SEQUENCE")?)
    }

    /// Returns the operations for each token: six for each weight of a matrix, and the products in
    /// the attention (A. Chowdhery et al., "`PaLM`", 2022, appendix B).
    fn operations(&self) -> Option<f64> {
        let [hidden, layers, heads, sequence, vocabulary] =
            ["HIDDEN", "LAYERS", "HEADS", "SEQUENCE", "VOCABULARY"].map(|it| self.get(it));
        let (hidden, layers) = (hidden?, layers?);
        let kv_share = self.or("KV_HEADS", heads?) / heads?;
        let matrices = if self.or("GATED", 0.0) > 0.0 {
            3.0
        } else {
            2.0
        };
        let experts = self.or("EXPERTS", 1.0);
        let (router, used) = if experts > 1.0 {
            (experts * hidden, self.or("TOP_K", 1.0))
        } else {
            (0.0, 1.0)
        };
        let network = used * matrices * self.or("FEED_FORWARD", 4.0 * hidden) * hidden;
        let layer = (2.0 + 2.0 * kv_share) * hidden * hidden + network + router;
        let weights = layers * layer + vocabulary? * hidden;
        Some(6.0 * weights + 12.0 * layers * hidden * sequence?)
    }
}

/// Returns the speed of a training; `None` if the model doesn't have the parameters of the sample
/// models for training.
pub(super) fn speed(model: &Model, system: &System, predicted_s: f64) -> Option<Training> {
    let sizes = Sizes {
        model,
        values: &system.parameters,
    };
    let gpus = f64::from(system.nodes) * f64::from(system.cpus_per_node);
    let tokens_per_s = sizes.tokens(gpus)? / predicted_s;
    let tokens_per_s_per_gpu = tokens_per_s / gpus;
    let flops = sizes.operations()? * tokens_per_s_per_gpu;
    // Products of 8-bit numbers are twice as fast.
    let faster = 16.0 / sizes.or("PRECISION", 16.0);
    let gpu = system.accelerators.first();
    let peak = gpu.and_then(|it| it.peak(Precision::Fp16));
    tokens_per_s.is_finite().then(|| Training {
        tokens_per_s,
        tokens_per_s_per_gpu,
        tflops_per_gpu: flops / 1e12,
        mfu: peak.map(|peak| flops / (peak * faster)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::model::Parameter;
    use prophet_machine::machine::Machine;

    /// Table 5 of V. Korthikanti et al. ("Reducing Activation Recomputation in Large Transformer
    /// Models", 2022), with selective recomputation: hidden size, layers, sequences per iteration,
    /// nodes of eight A100, seconds, and the share of the peak in percent.
    const PUBLISHED: [([i64; 3], u32, f64, f64); 4] = [
        ([6144, 48, 4], 1, 1.10, 41.5),
        ([12_288, 96, 64], 8, 13.75, 51.4),
        ([20_480, 105, 280], 35, 37.83, 56.0),
        ([25_600, 128, 512], 64, 71.49, 56.3),
    ];

    fn parameters(names: &[&'static str]) -> Vec<Parameter> {
        let parameter = |name: &&'static str| Parameter::new(name, Value::Int(0));
        names.iter().map(parameter).collect()
    }

    #[test]
    fn the_share_of_the_peak_is_the_published_one() {
        const NAMES: [&str; 6] = [
            "HIDDEN",
            "LAYERS",
            "BATCH",
            "HEADS",
            "VOCABULARY",
            "SEQUENCE",
        ];
        let declared = parameters(&NAMES);
        let model = Model::new("Training", declared.leak(), 0);
        for ([hidden, layers, batch], nodes, seconds, percent) in PUBLISHED {
            let machine = Machine::preset("a100").expect("it is built in");
            let mut system = System::on(machine, nodes, 8, 1, 1);
            let values = [hidden, layers, batch, 64, 51_200, 2048];
            system.parameters = values.map(Value::Int).into();
            let found = speed(&model, &system, seconds).expect("it is a training");
            let mfu = 100.0 * found.mfu.expect("the peak is known");
            assert!((mfu - percent).abs() < 0.2, "{mfu} {percent}");
            let tokens = found.tokens_per_s_per_gpu * f64::from(8 * nodes);
            assert!((tokens / found.tokens_per_s - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn experts_and_gates_count_and_8_bits_halve_the_share() {
        const NAMES: [&str; 12] = [
            "HIDDEN",
            "LAYERS",
            "HEADS",
            "SEQUENCE",
            "VOCABULARY",
            "BATCH",
            "KV_HEADS",
            "FEED_FORWARD",
            "GATED",
            "EXPERTS",
            "TOP_K",
            "PRECISION",
        ];
        let declared = parameters(&NAMES);
        let model = Model::new("Training", declared.leak(), 0);
        let of = |values: [i64; 12]| {
            let machine = Machine::preset("h100").expect("it is built in");
            let mut system = System::on(machine, 1, 8, 1, 1);
            system.parameters = values.map(Value::Int).into();
            speed(&model, &system, 2.0).expect("it is a training")
        };
        let dense = of([64, 2, 8, 16, 100, 32, 0, 0, 0, 1, 1, 16]);
        let flops = 6.0 * (2.0 * 12.0 * 4096.0 + 6400.0) + 12.0 * 2.0 * 64.0 * 16.0;
        assert!((dense.tokens_per_s - 256.0).abs() < 1e-9);
        assert!((dense.tflops_per_gpu * 1e12 / (flops * 32.0) - 1.0).abs() < 1e-12);
        let routed = of([64, 2, 8, 16, 100, 32, 2, 128, 1, 4, 2, 8]);
        let layer = 2.5 * 4096.0 + 2.0 * 3.0 * 128.0 * 64.0 + 4.0 * 64.0;
        let flops = 6.0 * (2.0 * layer + 6400.0) + 12.0 * 2.0 * 64.0 * 16.0;
        assert!((routed.tflops_per_gpu * 1e12 / (flops * 32.0) - 1.0).abs() < 1e-12);
        let mfu = routed.mfu.expect("the peak is known");
        assert!((mfu * 2.0 * 989.0 / routed.tflops_per_gpu - 1.0).abs() < 1e-12);
        let other = Model::new("Other", declared_one(), 0);
        assert_eq!(speed(&other, &System::new(1, 1, 1, 1), 1.0), None);
    }

    fn declared_one() -> &'static [Parameter] {
        const { &[Parameter::new("HIDDEN", Value::Int(1))] }
    }
}
