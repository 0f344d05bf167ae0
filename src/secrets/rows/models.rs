//! Rules for language models and related tools.

use super::super::checks::{OPENAI, VARIED};
use super::super::rule::Rule;

pub(super) const ROWS: &[Rule] = &[
    Rule::certain(
        "anthropic-key",
        "Anthropic key",
        "Anthropic Docs: API keys",
        &["sk-ant-(api03|admin01)-[A-Za-z0-9_-]{80,120}"],
    ),
    Rule::certain(
        "anthropic-oauth-token",
        "Claude login token",
        "Anthropic Docs: Claude Code authentication",
        &["sk-ant-(oat01|ort01|sid01|sid02)-[A-Za-z0-9_-]{80,140}"],
    ),
    Rule::certain(
        "openai-key",
        "OpenAI key",
        "OpenAI Docs: API keys",
        &[
            "sk-(proj|svcacct|admin|service)-[A-Za-z0-9_-]{20,180}",
            "sk-None-[A-Za-z0-9_-]{40,180}",
            "sk-[A-Za-z0-9]{48}",
        ],
    )
    .checked(&OPENAI),
    Rule::certain(
        "openai-session-key",
        "OpenAI session key",
        "OpenAI Docs: session keys",
        &["sess-[A-Za-z0-9]{40}"],
    ),
    Rule::certain(
        "openrouter-key",
        "OpenRouter key",
        "OpenRouter Docs: Authentication",
        &["sk-or-v1-[a-f0-9]{64}"],
    ),
    Rule::likely(
        "deepseek-key",
        "model provider key",
        "DeepSeek, Moonshot and Alibaba Docs: API keys",
        &["sk-[a-f0-9]{32}", "sk-[A-Za-z0-9]{32}", "sk-[A-Za-z0-9]{40}"],
    )
    .checked(&VARIED),
    Rule::certain(
        "hugging-face-token",
        "Hugging Face token",
        "Hugging Face Docs: User access tokens",
        &["hf_[A-Za-z]{34}", "api_org_[A-Za-z]{34}", "hf_oauth_[A-Za-z0-9._-]{60,900}"],
    ),
    Rule::certain(
        "replicate-token",
        "Replicate token",
        "Replicate Docs: API tokens",
        &["r8_[A-Za-z0-9]{37}"],
    ),
    Rule::certain("groq-key", "Groq key", "Groq Docs: API keys", &["gsk_[A-Za-z0-9]{52}"]),
    Rule::certain("xai-key", "xAI key", "xAI Docs: API keys", &["xai-[A-Za-z0-9]{80}"]),
    Rule::certain(
        "perplexity-key",
        "Perplexity key",
        "Perplexity Docs: API keys",
        &["pplx-[A-Za-z0-9]{48}", "pplx-[a-f0-9]{56}"],
    ),
    Rule::certain(
        "fireworks-key",
        "Fireworks key",
        "Fireworks Docs: API keys",
        &["fw_[A-Za-z0-9]{22,24}"],
    ),
    Rule::certain(
        "together-key",
        "Together key",
        "Together Docs: API keys",
        &["tgp_v1_[A-Za-z0-9_-]{43}"],
    ),
    Rule::certain("cerebras-key", "Cerebras key", "Cerebras Docs: API keys", &["csk-[a-z0-9]{48}"]),
    Rule::certain(
        "nvidia-key",
        "NVIDIA key",
        "NVIDIA Docs: API catalog keys",
        &["nvapi-[A-Za-z0-9_-]{60,70}"],
    ),
    Rule::certain(
        "langsmith-key",
        "LangSmith key",
        "LangSmith Docs: API keys",
        &["lsv2_(pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}", "ls__[a-f0-9]{32}"],
    ),
    Rule::certain(
        "langfuse-key",
        "Langfuse key",
        "Langfuse Docs: API keys",
        &["sk-lf-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}"],
    ),
    Rule::certain(
        "pinecone-key",
        "Pinecone key",
        "Pinecone Docs: API keys",
        &["pcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{60,66}"],
    ),
    Rule::certain(
        "tavily-key",
        "Tavily key",
        "Tavily Docs: API keys",
        &["tvly-(dev-|prod-|)[A-Za-z0-9]{32}"],
    ),
    Rule::certain(
        "firecrawl-key",
        "Firecrawl key",
        "Firecrawl Docs: API keys",
        &["fc-[a-f0-9]{32}"],
    ),
    Rule::certain(
        "llama-cloud-key",
        "LlamaCloud key",
        "LlamaIndex Docs: API keys",
        &["llx-[A-Za-z0-9]{48}"],
    ),
    Rule::certain(
        "elevenlabs-key",
        "ElevenLabs key",
        "ElevenLabs Docs: API keys",
        &["sk_[a-f0-9]{48}"],
    ),
    Rule::certain(
        "jina-key",
        "Jina key",
        "Jina Docs: API keys",
        &["jina_[a-f0-9]{32}[A-Za-z0-9_-]{28}"],
    ),
    Rule::likely("voyage-key", "Voyage key", "Voyage Docs: API keys", &["pa-[A-Za-z0-9_-]{43}"])
        .checked(&VARIED),
    Rule::certain(
        "helicone-key",
        "Helicone key",
        "Helicone Docs: API keys",
        &["sk-helicone-[a-z0-9]{7}-[a-z0-9]{7}-[a-z0-9]{7}-[a-z0-9]{7}"],
    ),
    Rule::certain(
        "cursor-key",
        "Cursor key",
        "Cursor Docs: API keys",
        &["key_[a-f0-9]{64}", "crsr_[a-f0-9]{64}"],
    ),
    Rule::certain(
        "e2b-key",
        "E2B key",
        "E2B Docs: API keys",
        &["e2b_[a-f0-9]{40}", "sk_e2b_[a-f0-9]{40}"],
    ),
    Rule::likely("modal-token", "Modal token", "Modal Docs: Tokens", &["as-[A-Za-z0-9]{22}"])
        .checked(&VARIED),
    Rule::certain(
        "weights-and-biases-key",
        "Weights & Biases key",
        "Weights & Biases Docs: API keys",
        &["wandb_v1_[A-Za-z0-9_]{60,100}"],
    ),
];
