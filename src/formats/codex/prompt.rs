//! Separates the text of a user from what Codex adds to it.

/// A piece of a user message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PromptPiece {
    /// Text of the user.
    Written(String),
    /// Text between tags with an unknown name, written by Codex or the user.
    Tagged(String),
    /// A command that the user ran in Codex, with its result.
    Shell {
        /// The command line.
        command: String,
        /// The result as Codex words it.
        result: String,
    },
    /// Text that Codex adds for the model.
    Injected,
    /// A marker beside an image.
    Mark,
}

/// Prefixes of the tags, without `<`, that enclose text of Codex for the model.
const TAGS: [&str; 37] = [
    "additional_context",
    "agent_message_board",
    "apps_instructions",
    "available_plugins",
    "available_skills",
    "codex_apps",
    "codex_internal_context",
    "collaboration_mode",
    "current_time",
    "environment_context",
    "environments_info",
    "extension_context",
    "external_",
    "goal_context",
    "hook_context",
    "hook_prompt",
    "image_generation_instructions",
    "in-app-browser-context",
    "INSTRUCTIONS",
    "memories",
    "memory",
    "model_switch",
    "multi_agent",
    "permissions",
    "personality_spec",
    "plugins_instructions",
    "realtime_",
    "recommended_plugins",
    "skill>",
    "skill ",
    "skills",
    "spawn_agent",
    "subagent_notification",
    "token_budget",
    "turn_aborted",
    "user_action",
    "user_instructions",
];

/// The start of `AGENTS.md` instructions, which are enclosed in [`DEMANDS`].
const AGENTS: &str = "# AGENTS.md instructions";
const DEMANDS: &str = "INSTRUCTIONS";

/// Prefixes of texts of Codex that have neither tags nor an end.
const OPENINGS: [&str; 5] = [
    "# Context from my IDE setup:",
    "# Files mentioned by the user:",
    "Warning: apply_patch was requested via ",
    "Warning: The maximum number of unified exec processes",
    "The following is the Codex agent history",
];

/// Prefixes of texts of Codex that end at the heading of a request.
const SETUPS: [&str; 2] = ["# Context from my IDE", "# Files mentioned by the user"];

/// Headings before the text that a user wrote in an editor.
const REQUESTS: [&str; 2] = ["## My request for Codex:", "## My request:"];

/// The maximum number of pieces that Codex adds before the user's text.
const MAX_INJECTED: usize = 50;

/// Classifies a piece of text.
pub(super) fn classify(text: &str) -> PromptPiece {
    let mut rest = text.trim();
    let is_mark = rest == "</image>"
        || rest.starts_with("<image") && rest.ends_with('>') && !rest.contains('\n');
    if is_mark && rest.matches('<').count() == 1 {
        return PromptPiece::Mark;
    }
    if let Some(shell) = shell(rest) {
        return shell;
    }
    if let Some(reply) = between(rest, "send_user_message_question_reply") {
        return PromptPiece::Written(reply.trim().to_owned());
    }
    let mut tries = 0;
    while let Some(end) = setup(rest).or_else(|| injected(rest)) {
        tries += 1;
        if tries > MAX_INJECTED {
            return PromptPiece::Injected;
        }
        rest = rest.get(end..).unwrap_or_default().trim();
    }
    let rest = match is_tagged(rest) {
        true => rest.to_owned(),
        false => without_injected(rest, MAX_INJECTED - tries),
    };
    match rest {
        rest if rest.is_empty() => PromptPiece::Injected,
        rest if is_tagged(&rest) => PromptPiece::Tagged(rest),
        rest => PromptPiece::Written(rest),
    }
}

/// Returns the end of the text of Codex at the start of a text.
fn injected(text: &str) -> Option<usize> {
    if text.starts_with(AGENTS) {
        // The file may mention such tags itself.
        let close = format!("</{DEMANDS}>");
        let end = text.to_ascii_uppercase().rfind(&close).map(|at| at + close.len());
        return Some(end.unwrap_or(text.len()));
    }
    if OPENINGS.iter().any(|opening| text.starts_with(opening)) {
        return Some(text.len());
    }
    // An unclosed tag extends to the end.
    tag_of_program(text).map(|name| closed(text, name).unwrap_or(text.len()))
}

/// Returns the name of the Codex tag at the start of a text.
fn tag_of_program(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('<')?;
    let starts =
        |tag: &&&str| inside.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
    TAGS.iter().find(starts)?;
    inside.split(|c: char| !is_of_name(c)).next()
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// Returns the end of the element at the start of a text. It may contain elements of the same name, and its
/// contents may close it too early.
fn closed(text: &str, name: &str) -> Option<usize> {
    let is_named = |at: usize| {
        let tag = text.get(at..at + name.len());
        tag.is_some_and(|tag| tag.eq_ignore_ascii_case(name))
            && !text.get(at + name.len()..).is_some_and(|rest| rest.starts_with(is_of_name))
    };
    let mut depth = 0_u32;
    let mut end = None;
    for (at, _) in text.match_indices('<') {
        if is_named(at + 1) {
            depth += 1;
        } else if text.get(at + 1..).is_some_and(|rest| rest.starts_with('/')) && is_named(at + 2) {
            // A surplus closing tag means that the earlier one did not close the element.
            if depth <= 1 && (depth == 0 || end.is_none()) {
                end = Some(at + text.get(at..)?.find('>')? + 1);
            }
            depth = depth.saturating_sub(1);
        }
    }
    end
}

/// Returns a text without the text of Codex inside it or at its end.
fn without_injected(text: &str, most: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut from, mut next, mut tries) = (0, 0, 0);
    while let Some(at) = text.get(next..).and_then(|rest| rest.find(['<', '#'])) {
        let at = next + at;
        next = at + 1;
        let (before, rest) = text.split_at(at);
        let is_line = before.is_empty() || before.ends_with('\n');
        let end = match tag_of_program(rest) {
            // Users may mention a tag, or paste text that contains other tags.
            Some(_) if before.ends_with('`') => continue,
            Some(name) => {
                let end = closed(rest, name);
                let is_distinctive = name.contains(['_', '-']);
                let is_last =
                    end.is_none_or(|end| rest.get(end..).is_none_or(|rest| rest.trim().is_empty()));
                match end {
                    Some(end) if is_distinctive || is_line && is_last => Some(end),
                    None if is_distinctive && is_line => Some(rest.len()),
                    _ => None,
                }
            }
            None if is_line && rest.starts_with(AGENTS) => injected(rest),
            None => continue,
        };
        tries += 1;
        if tries > most {
            // Users do not write that many.
            return String::new();
        }
        if let Some(end) = end {
            out.push_str(text.get(from..at).unwrap_or_default());
            (from, next) = (at + end, at + end);
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out.trim().to_owned()
}

/// Returns where a request starts after the context of an editor.
fn setup(text: &str) -> Option<usize> {
    let is_setup = SETUPS.iter().chain(&REQUESTS).any(|start| text.starts_with(start));
    if !is_setup {
        return None;
    }
    let is_alone = REQUESTS.iter().any(|heading| text.starts_with(heading));
    let (mut at, mut found) = (0, None);
    for line in text.split_inclusive('\n') {
        let heading = REQUESTS.iter().find(|heading| line.starts_with(**heading));
        if let Some(heading) = heading {
            // A file that is open in the editor may contain such a heading, too.
            found = Some(at + heading.len());
            if is_alone {
                break;
            }
        }
        at += line.len();
    }
    found
}

/// Returns whether a whole text is enclosed in two tags of the same name.
fn is_tagged(text: &str) -> bool {
    let Some(inside) = text.strip_prefix('<') else { return false };
    let name = inside.split(|c| !is_of_name(c)).next().unwrap_or_default();
    // HTML tags contain neither.
    name.contains(['_', '-']) && text.ends_with(&format!("</{name}>"))
}

fn between<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let inside = text.strip_prefix('<')?.strip_prefix(tag)?.strip_prefix('>')?;
    inside.strip_suffix('>')?.strip_suffix(tag)?.strip_suffix("</")
}

/// Reads a command that a user ran.
fn shell(text: &str) -> Option<PromptPiece> {
    let inside = between(text, "user_shell_command")?;
    let part = |tag: &str| {
        let (_, rest) = inside.split_once(&format!("<{tag}>"))?;
        let (found, _) = rest.rsplit_once(&format!("</{tag}>"))?;
        Some(found.trim().to_owned())
    };
    let result = part("result").unwrap_or_default();
    Some(PromptPiece::Shell { command: part("command")?, result })
}

/// The tag that contains an answer's memory citations and proposals.
const CITATION: &str = "oai-mem-citation";

/// Returns the text of a model as readers see it: without the list of memories below it.
pub(super) fn answer(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let (open, close) = (format!("<{CITATION}"), format!("</{CITATION}"));
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    let find = |from: usize, tag: &str| Some(from + lower.get(from..)?.find(tag)?);
    while let Some(at) = find(from, &open) {
        out.push_str(text.get(from..at).unwrap_or_default());
        let end = find(at, &close).and_then(|at| find(at, ">"));
        from = end.map_or(text.len(), |end| end + 1);
    }
    out.push_str(text.get(from..).unwrap_or_default());
    for tag in ["<proposed_plan>", "</proposed_plan>"] {
        if out.contains(tag) {
            out = out.replace(tag, "");
        }
    }
    out.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{PromptPiece, answer, classify};

    fn written(text: &str) -> PromptPiece {
        PromptPiece::Written(text.to_owned())
    }

    #[test]
    fn text_of_the_program_is_not_a_prompt() {
        for text in [
            "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nbe kind\n</INSTRUCTIONS>",
            "<environment_context>\n<cwd>/x</cwd>\n</environment_context>",
            "<user_instructions>never closed",
            "<permissions instructions>\nread\n</permissions instructions>",
            "<skill>\n<name>x</name>\n</skill>",
            "<SUBAGENT_NOTIFICATION>{}</subagent_notification>",
            "# Context from my IDE setup:\n\n## Open tabs:\n- a.rs",
            "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nA </INSTRUCTIONS> B\nx\n\
             </INSTRUCTIONS>",
            "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\n## My request: x\ny\n\
             </INSTRUCTIONS>",
            "<environment_context>a<environment_context>b</environment_context>x\
             </environment_context>",
            "<environment_context>a</environment_context_b>x</environment_context>",
            "<environment_context>a</environment_context>x</environment_context>",
            "<environment_context>a<environment_context>b</environment_context>x",
        ] {
            assert_eq!(classify(text), PromptPiece::Injected, "{text}");
        }
    }

    #[test]
    fn text_beside_them_is_kept() {
        let ide = "# Context from my IDE setup:\n\n## Open tabs:\n- a.rs\n\n\
                   ## My request for Codex:\nSharpen the saw\n";
        assert_eq!(classify(ide), written("Sharpen the saw"));
        let page = "<in-app-browser-context>a page</in-app-browser-context>\nRead it";
        assert_eq!(classify(page), written("Read it"));
        let two = "<goal_context>a</goal_context>\nRead\n<goal_context>b</goal_context>";
        assert_eq!(classify(two), written("Read"));
        let opened = "# Context from my IDE setup:\n\n## Active selection:\n## My request: a\nb\n\n\
                      ## My request for Codex:\nSharpen the saw\n";
        assert_eq!(classify(opened), written("Sharpen the saw"));
        assert_eq!(classify("# Saws\n## My request: a"), written("# Saws\n## My request: a"));
        assert_eq!(classify("a <b>bold</b> word"), written("a <b>bold</b> word"));
        assert_eq!(classify("<div>x</div>"), written("<div>x</div>"));
        assert_eq!(
            classify("<new_kind>x</new_kind>"),
            PromptPiece::Tagged("<new_kind>x</new_kind>".into())
        );
        assert_eq!(classify("<image name=[Image #1]>"), PromptPiece::Mark);
    }

    #[test]
    fn text_of_the_program_after_a_prompt_is_removed() {
        for text in [
            "Read it\n<environment_context>x</environment_context>",
            "Read it <environment_context>x</environment_context>",
            "Read it\n<environment_context>x",
            "Read it\n<skills>x</skills>",
            "Read it\n# AGENTS.md instructions for /x\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>",
        ] {
            assert_eq!(classify(text), written("Read it"), "{text}");
        }
        for text in [
            "What is `<environment_context>` for?",
            "What is <environment_context> for?",
            "A machine:\n<memory>4</memory>\nIs it enough?",
        ] {
            assert_eq!(classify(text), written(text), "{text}");
        }
        let many = "Read <goal_context>\n".repeat(20_000);
        assert_eq!(classify(&many), PromptPiece::Injected);
    }

    #[test]
    fn a_command_of_a_person_is_one() {
        let text = "<user_shell_command>\n<command>\nls\n</command>\n<result>\nExit code: 0\n\
                    </result>\n</user_shell_command>";
        let shell = PromptPiece::Shell { command: "ls".into(), result: "Exit code: 0".into() };
        assert_eq!(classify(text), shell);
    }

    #[test]
    fn memories_are_not_part_of_an_answer() {
        let text = "Done.\n<oai-mem-citation>\nx\n</oai-mem-citation>";
        assert_eq!(answer(text), "Done.");
        let text = "Done.\n<OAI-mem-citation>x</OAI-Mem-Citation>\nÜber <oai-mem-citation a>";
        assert_eq!(answer(text), "Done.\n\nÜber");
    }
}
