//! Describes families of language models: what a family's models have in common but their files
//! don't say.

use prophet_machine::quantity::quoted;
use prophet_text::{Problem, problem};
use serde_json::Value as Json;

use super::keys::{flag, found, whole};

/// A size, or a multiple of another parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Size {
    Is(i64),
    Times(i64, &'static str),
}

/// The number of key and value heads if each attention head has its own.
const EACH_HEAD: Option<Size> = Some(Size::Times(1, "HEADS"));

/// A parameter of training models.
pub(super) struct Known {
    pub(super) name: &'static str,
    /// Keys of this parameter in files. The first one that is found counts.
    keys: &'static [&'static str],
    /// The value for language models without such a key, or `None` if that is an error.
    pub(super) without: Option<Size>,
}

const fn known(name: &'static str, without: Option<Size>, keys: &'static [&'static str]) -> Known {
    Known {
        name,
        keys,
        without,
    }
}

/// The parameters that files set. The maximum sequence length isn't one of them, because training
/// can use another length.
pub(super) const PARAMETERS: [Known; 10] = [
    known(
        "HIDDEN",
        None,
        &["hidden_size", "n_embd", "n_embed", "d_model"],
    ),
    known(
        "LAYERS",
        None,
        &["num_hidden_layers", "n_layer", "n_layers"],
    ),
    known("HEADS", None, &["num_attention_heads", "n_head", "n_heads"]),
    known("VOCABULARY", None, &["vocab_size"]),
    known(
        "KV_HEADS",
        EACH_HEAD,
        &["num_key_value_heads", "num_kv_heads", "n_head_kv"],
    ),
    known(
        "FEED_FORWARD",
        Some(Size::Times(4, "HIDDEN")),
        &["intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size"],
    ),
    known("TIED", Some(Size::Is(1)), &["tie_word_embeddings"]),
    known("GATED", Some(Size::Is(0)), &[]),
    known(
        "EXPERTS",
        Some(Size::Is(1)),
        &["num_local_experts", "num_experts", "n_routed_experts"],
    ),
    known("TOP_K", Some(Size::Is(1)), &["num_experts_per_tok"]),
];

/// Defaults for keys that a file lacks, by its `model_type`. They come from the model's class in
/// transformers.
pub(super) struct Family {
    types: &'static [&'static str],
    /// Whether layers are built as in Llama (gated feed-forward network, RMS norms) rather than as
    /// in GPT.
    is_gated: bool,
    is_tied: bool,
    /// Whether attention and the feed-forward network have the same input, so that they can run in
    /// parallel.
    pub(super) is_parallel: bool,
    /// By default, 1 if all heads share one. `None` means that the file must contain it, here and
    /// in the next two fields.
    kv_heads: Option<Size>,
    feed_forward: Option<Size>,
    experts: Option<Size>,
    /// The key with the width of an expert, if the usual key is about other layers.
    expert_width: Option<&'static str>,
    /// Size of a head; `None` if it is the hidden size divided by the number of heads.
    pub(super) head_size: Option<i64>,
}

const GPT: Family = Family {
    types: &["gpt2", "bloom", "mpt"],
    is_gated: false,
    is_tied: true,
    is_parallel: false,
    kv_heads: EACH_HEAD,
    feed_forward: Some(Size::Times(4, "HIDDEN")),
    experts: Some(Size::Is(1)),
    expert_width: None,
    head_size: None,
};

const LLAMA: Family = Family {
    types: &["llama", "olmo", "olmo2", "granite", "phi3"],
    is_gated: true,
    is_tied: false,
    feed_forward: None,
    ..GPT
};

const FAMILIES: [Family; 15] = [
    GPT,
    Family {
        types: &["gpt_bigcode"],
        kv_heads: Some(Size::Is(1)),
        ..GPT
    },
    Family {
        types: &["opt"],
        feed_forward: None,
        ..GPT
    },
    Family {
        types: &["starcoder2"],
        feed_forward: None,
        kv_heads: None,
        ..GPT
    },
    Family {
        types: &["falcon"],
        is_parallel: true,
        kv_heads: Some(Size::Is(1)),
        ..GPT
    },
    Family {
        types: &["gptj"],
        is_parallel: true,
        is_tied: false,
        ..GPT
    },
    Family {
        types: &["gpt_neox", "phi"],
        is_parallel: true,
        is_tied: false,
        feed_forward: None,
        ..GPT
    },
    LLAMA,
    Family {
        types: &["olmoe"],
        experts: None,
        ..LLAMA
    },
    Family {
        types: &["mistral", "qwen2", "stablelm"],
        kv_heads: None,
        ..LLAMA
    },
    Family {
        types: &["mixtral"],
        kv_heads: None,
        experts: None,
        ..LLAMA
    },
    Family {
        types: &["qwen3_moe"],
        kv_heads: None,
        experts: None,
        expert_width: Some("moe_intermediate_size"),
        ..LLAMA
    },
    Family {
        types: &["qwen3"],
        kv_heads: None,
        head_size: Some(128),
        ..LLAMA
    },
    Family {
        types: &["gemma", "gemma2", "gemma3_text"],
        is_tied: true,
        kv_heads: None,
        head_size: Some(256),
        ..LLAMA
    },
    Family {
        types: &["cohere"],
        is_tied: true,
        is_parallel: true,
        ..LLAMA
    },
];

type Test = fn(&Json) -> bool;

/// Entries that no parameter can express: a pointer into the file, a test for values that affect
/// the time, and the name for messages.
const NOT_EXPRESSED: [(&str, Test, &str); 13] = [
    ("/kv_lora_rank", is_number, "latent attention"),
    ("/n_shared_experts", is_number, "shared experts"),
    ("/num_shared_experts", is_number, "shared experts"),
    (
        "/shared_expert_intermediate_size",
        is_number,
        "shared experts",
    ),
    ("/shared_intermediate_size", is_number, "shared experts"),
    (
        "/first_k_dense_replace",
        is_number,
        "first layers without experts",
    ),
    (
        "/mlp_only_layers",
        has_entries,
        "some layers without experts",
    ),
    (
        "/decoder_sparse_step",
        is_several,
        "some layers without experts",
    ),
    ("/moe_layer_freq", is_several, "some layers without experts"),
    (
        "/interleave_moe_layer_step",
        is_several,
        "some layers without experts",
    ),
    ("/layer_types", has_other_layers, "other kinds of layers"),
    (
        "/attn_config/attn_type",
        |it| it != "multihead_attention",
        "shared keys and values",
    ),
    (
        "/add_cross_attention",
        |it| *it == true,
        "attention to an encoder",
    ),
];

fn is_number(value: &Json) -> bool {
    value.as_f64().is_some_and(|it| it > 0.0)
}

fn is_several(value: &Json) -> bool {
    value.as_f64() != Some(1.0) && !value.is_null()
}

fn has_entries(value: &Json) -> bool {
    value.as_array().is_some_and(|it| !it.is_empty())
}

fn has_other_layers(value: &Json) -> bool {
    let is_other = |it: &Json| it != "full_attention" && it != "sliding_attention";
    value.as_array().is_some_and(|it| it.iter().any(is_other))
}

impl Family {
    pub(super) fn of(config: &Json) -> Result<&'static Self, Problem> {
        let name = word(config, "model_type");
        let name = name.ok_or_else(|| {
            problem!("missing `model_type`, such as `\"model_type\": \"llama\"`: {WANTED}")
        })?;
        let family = FAMILIES.iter().find(|it| it.types.contains(&name));
        family.ok_or_else(|| {
            let mut known: Vec<&str> = FAMILIES.iter().flat_map(|it| it.types).copied().collect();
            known.sort_unstable();
            let (name, known) = (quoted(name), known.join(", "));
            Problem::with_help(
                format!("unknown model_type `{name}`: expected one of {known}"),
                "pass the sizes as flags, such as --hidden 4096",
            )
        })
    }

    pub(super) fn size(&self, config: &Json, parameter: &Known) -> Result<Size, Problem> {
        let is_multi_query = || {
            let is_usual = self.kv_heads == Some(Size::Is(1));
            let is_new = flag(config, &["new_decoder_architecture"], false)?;
            Ok::<_, Problem>(flag(config, &["multi_query"], is_usual)? && !is_new)
        };
        let fallback = match parameter.name {
            "TIED" => return Ok(Size::Is(flag(config, parameter.keys, self.is_tied)?.into())),
            "GATED" => return Ok(Size::Is(self.is_gated.into())),
            "KV_HEADS" if is_multi_query()? => return Ok(Size::Is(1)),
            "KV_HEADS" if config.get("num_key_value_heads").is_some_and(Json::is_null) => EACH_HEAD,
            "KV_HEADS" => self.kv_heads.and(EACH_HEAD),
            "FEED_FORWARD" => match whole(config, &["expansion_ratio"])? {
                Some(ratio) => Some(Size::Times(ratio, "HIDDEN")),
                None => self.feed_forward,
            },
            "EXPERTS" => self.experts,
            "TOP_K" => {
                let experts = ["num_local_experts", "num_experts", "n_routed_experts"];
                found(config, &experts).is_none().then_some(Size::Is(1))
            }
            _ => None,
        };
        let keys = match &self.expert_width {
            Some(key) if parameter.name == "FEED_FORWARD" => std::slice::from_ref(key),
            _ => parameter.keys,
        };
        let size = whole(config, keys)?.map(Size::Is).or(fallback);
        size.ok_or_else(|| problem!("missing `{}`", keys.join("` or `")))
    }
}

/// The second part of a message, which says what file is expected.
const WANTED: &str = "expected the config.json of a language model";

fn word<'a>(config: &'a Json, key: &str) -> Option<&'a str> {
    config.get(key).and_then(Json::as_str)
}

/// Rejects a file unless it describes a language model with one stack of layers.
pub(super) fn refuse_other_kinds(config: &Json) -> Result<(), Problem> {
    let name = word(config, "model_type").map(|it| format!("`{}`", quoted(it)));
    let name = name.unwrap_or_else(|| "this model".to_owned());
    if let Some(class) = word(config, "_class_name") {
        let class = quoted(class);
        return Err(problem!(
            "this is part of a diffusion model, `{class}`: {WANTED}"
        ));
    }
    if flag(config, &["is_encoder_decoder"], false)? {
        return Err(problem!("{name} has an encoder and a decoder: {WANTED}"));
    }
    let parts = ["text_config", "llm_config", "language_config"];
    match parts
        .iter()
        .find(|key| config.get(key).is_some_and(Json::is_object))
    {
        None => Ok(()),
        Some(key) => Err(Problem::with_help(
            format!("the language model is only one part of {name}: its `{key}`"),
            format!("save the object `{key}` to a file of its own, and pass that file"),
        )),
    }
}

/// Rejects a file if entries that affect the time can't be expressed by parameters.
pub(super) fn refuse_not_expressed(config: &Json) -> Result<(), Problem> {
    let has = |key: &str, is: Test| config.pointer(key).is_some_and(is);
    let found = NOT_EXPRESSED.iter().filter(|(key, is, _)| has(key, *is));
    let found = found.map(|(key, _, what)| format!("{what} (`{}`)", key[1..].replace('/', ".")));
    let found: Vec<String> = found.collect();
    if found.is_empty() {
        return Ok(());
    }
    Err(Problem::with_help(
        format!("training models do not support {}", found.join(", ")),
        "pass the sizes of a similar language model as flags, such as --hidden 4096",
    ))
}
