//! The names of assistants, of people who use them, and the labels that exporters write instead: the one table
//! for formats that say nothing else about their speakers.

use std::collections::HashSet;
use std::sync::LazyLock;

/// How sure it is that a name belongs to an assistant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Certainty {
    /// No person has this name.
    Sure,
    /// People have this name too, such as Claude: the other speakers decide.
    Possible,
}

/// Labels of a user.
const USERS: &str = "user, human, you, you said, me, prompt, ich, benutzer, benutzerin, nutzer, mensch, \
    utilisateur, utilisatrice, usuario, usuaria, usuário, utente, gebruiker, kullanıcı, użytkownik, \
    пользователь, користувач, χρήστης, 用户, 用戶, ユーザー, 사용자, المستخدم, משתמש, उपयोगकर्ता";

/// Labels of an assistant without a name.
const ROLES: &str = "assistant, ai, a.i., ki, ia, ии, bot, chatbot, agent, llm, model, ai assistant, response, \
    assistent, assistentin, ki-assistent, asistente, assistente, asistan, asystent, ассистент, помощник, \
    асистент, βοηθός, 助手, 助理, 智能助手, ai助手, アシスタント, 어시스턴트, المساعد, עוזר, सहायक";

/// Families of models, and agents. A version or a variant may follow.
const FAMILIES: &str = "chatgpt, gpt, openai, claude, gemini, gemma, bard, copilot, bing, llama, mistral, mixtral, \
    codestral, magistral, deepseek, grok, perplexity, sonar, qwen, qwq, kimi, glm, chatglm, ernie, doubao, hunyuan, \
    minimax, codex, cline, cursor, windsurf, cascade, aider, devin, jules, opencode, 豆包, 文心一言, 通义千问, 混元";

/// Families whose name people have too.
const SHARED: [&str; 5] = ["bard", "claude", "devin", "jules", "kimi"];

/// Names of several words.
const PRODUCTS: &str = "github copilot, microsoft copilot, bing chat, meta ai, le chat, google bard, google gemini, \
    openai codex, roo code, amazon q, character ai";

/// Words of versions and variants of models.
const VARIANTS: &str = "pro, flash, ultra, lite, sonnet, opus, haiku, turbo, mini, nano, micro, large, small, \
    medium, max, plus, instant, preview, beta, latest, thinking, reasoner, chat, coder, code, instruct, ai, cli, web, \
    advanced, experimental, exp, deep, research, agent, assistant, desktop";

/// What exporters write before and after a name.
const AROUND: [(&str, &str); 7] = [
    ("message from ", ""),
    ("来自 ", " 的消息"),
    ("", " replied"),
    ("", " said"),
    ("", " says"),
    ("", " responded"),
    ("", " response"),
];

/// Returns whether a name is a label of a user, such as "You".
pub fn is_user(name: &str) -> bool {
    static SET: LazyLock<HashSet<&str>> = LazyLock::new(|| words(USERS));
    SET.contains(name.trim().to_lowercase().as_str())
}

/// Returns how sure it is that a name belongs to an assistant; `None` if nothing suggests it.
pub fn assistant(name: &str) -> Option<Certainty> {
    static LABELS: LazyLock<HashSet<&str>> =
        LazyLock::new(|| words(ROLES).into_iter().chain(words(PRODUCTS)).collect());
    let lower = name.trim().to_lowercase();
    let mut bare = lower.as_str();
    for (before, after) in AROUND {
        let inner = bare.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        bare = inner.filter(|inner| !inner.is_empty()).unwrap_or(bare);
    }
    if LABELS.contains(bare) {
        return Some(Certainty::Sure);
    }
    match is_model(bare)? {
        _ if bare != lower => Some(Certainty::Sure),
        certainty => Some(certainty),
    }
}

/// Returns the model that a name states, as its vendor would write its id: `gemini-2.5-pro` for "Gemini 2.5 Pro".
pub fn model(name: &str) -> Option<String> {
    let lower = name.trim().to_lowercase();
    let has_version = lower.contains(|c: char| c.is_ascii_digit());
    (has_version && is_model(&lower).is_some()).then(|| {
        lower.split([' ', '_']).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
    })
}

/// Recognises a family of models with a version or a variant, in lower case: `gpt-4o`, `claude 3.5 sonnet`, `o3`.
fn is_model(name: &str) -> Option<Certainty> {
    static SETS: LazyLock<[HashSet<&str>; 2]> =
        LazyLock::new(|| [words(FAMILIES), words(VARIANTS)]);
    const MAX_PARTS: usize = 5;
    let [families, variants] = &*SETS;
    let mut parts = name.split([' ', '-', '_']).filter(|part| !part.is_empty());
    let first = parts.next()?;
    let family = first.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    // Models of OpenAI such as `o3` and `o4-mini`.
    let is_o = family == "o" && first.len() == 2;
    if !is_o && !families.contains(family) && !families.contains(first) {
        return None;
    }
    let rest: Vec<&str> = parts.collect();
    let is_variant = |part: &&str| {
        let is_version = part.contains(|c: char| c.is_ascii_digit()) && part.len() <= 8;
        is_version || variants.contains(*part)
    };
    if rest.len() >= MAX_PARTS || !rest.iter().all(is_variant) {
        return None;
    }
    match rest.is_empty() && SHARED.contains(&first) {
        true => Some(Certainty::Possible),
        false => Some(Certainty::Sure),
    }
}

fn words(list: &'static str) -> HashSet<&'static str> {
    list.split(',').map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::{Certainty, assistant, model};

    #[test]
    fn assistants_have_names_of_many_forms() {
        for name in [
            "Grok", "GitHub Copilot", "GPT-4o", "gpt4", "o3", "o4-mini", "Gemini 2.5 Pro",
            "Claude 3.5 Sonnet", "Claude Code", "DeepSeek R1", "Meta AI", "Le Chat", "助手", "KI",
            "Gemini Replied", "Message From ChatGPT", "来自 ChatGPT 的消息", "Message From Claude",
            "Response", "Qwen3-Coder",
        ] {
            assert_eq!(assistant(name), Some(Certainty::Sure), "{name}");
        }
        for name in ["Claude", "Kimi", "Devin"] {
            assert_eq!(assistant(name), Some(Certainty::Possible), "{name}");
        }
        for name in [
            "Ada", "Claude Monet", "Claudette", "Cursor keys", "Gemini season", "O'Neil",
            "Mistral wind", "A", "1",
        ] {
            assert_eq!(assistant(name), None, "{name}");
        }
        assert_eq!(model("Gemini 2.5 Pro").as_deref(), Some("gemini-2.5-pro"));
        assert_eq!(model("GPT-4o").as_deref(), Some("gpt-4o"));
        assert_eq!(model("ChatGPT"), None);
    }
}
