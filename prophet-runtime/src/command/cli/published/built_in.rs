//! Contains built-in language models: the relevant lines of their `config.json`.
//!
//! The names and lines come from the repositories on `HuggingFace`. GPT-3 is from T. Brown et al.
//! (*Language Models are Few-Shot Learners*, 2020, table 2.1), with the vocabulary of GPT-2. The
//! key and value heads of Llama 3.1 405B are from its paper (A. Dubey et al., 2024, table 3).

pub(super) fn text(name: &str) -> Option<&'static str> {
    let found = BUILT_IN.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text)
}

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().map(|(name, _)| *name)
}

const BUILT_IN: [(&str, &str); 11] = [
    (
        "gpt2-xl",
        r#"{"model_type": "gpt2", "n_embd": 1600, "n_layer": 48, "n_head": 25,
            "vocab_size": 50257}"#,
    ),
    (
        "gpt-3-175b",
        r#"{"model_type": "gpt2", "n_embd": 12288, "n_layer": 96, "n_head": 96,
            "vocab_size": 50257}"#,
    ),
    (
        "llama-2-7b",
        r#"{"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32,
            "num_attention_heads": 32, "num_key_value_heads": 32, "intermediate_size": 11008,
            "vocab_size": 32000, "tie_word_embeddings": false}"#,
    ),
    (
        "llama-2-70b",
        r#"{"model_type": "llama", "hidden_size": 8192, "num_hidden_layers": 80,
            "num_attention_heads": 64, "num_key_value_heads": 8, "intermediate_size": 28672,
            "vocab_size": 32000, "tie_word_embeddings": false}"#,
    ),
    (
        "llama-3-8b",
        r#"{"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32,
            "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
            "vocab_size": 128256, "tie_word_embeddings": false}"#,
    ),
    (
        "llama-3-70b",
        r#"{"model_type": "llama", "hidden_size": 8192, "num_hidden_layers": 80,
            "num_attention_heads": 64, "num_key_value_heads": 8, "intermediate_size": 28672,
            "vocab_size": 128256, "tie_word_embeddings": false}"#,
    ),
    (
        "llama-3.1-405b",
        r#"{"model_type": "llama", "hidden_size": 16384, "num_hidden_layers": 126,
            "num_attention_heads": 128, "num_key_value_heads": 8, "intermediate_size": 53248,
            "vocab_size": 128256, "tie_word_embeddings": false}"#,
    ),
    (
        "mistral-7b",
        r#"{"model_type": "mistral", "hidden_size": 4096, "num_hidden_layers": 32,
            "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
            "vocab_size": 32000, "sliding_window": 4096, "tie_word_embeddings": false}"#,
    ),
    (
        "mixtral-8x7b",
        r#"{"model_type": "mixtral", "hidden_size": 4096, "num_hidden_layers": 32,
            "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
            "num_local_experts": 8, "num_experts_per_tok": 2, "vocab_size": 32000,
            "sliding_window": null, "tie_word_embeddings": false}"#,
    ),
    (
        "qwen2.5-72b",
        r#"{"model_type": "qwen2", "hidden_size": 8192, "num_hidden_layers": 80,
            "num_attention_heads": 64, "num_key_value_heads": 8, "intermediate_size": 29568,
            "vocab_size": 152064, "use_sliding_window": false, "sliding_window": 131072,
            "tie_word_embeddings": false}"#,
    ),
    (
        "bloom-176b",
        r#"{"model_type": "bloom", "n_embed": 14336, "n_layer": 70, "num_attention_heads": 112,
            "vocab_size": 250880}"#,
    ),
];
