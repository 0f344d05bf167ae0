//! What a person wrote, and what the program put around it.

/// A piece of a message of a person.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// What was written.
    Written(String),
    /// Words between tags of a name that is not known: the program's or the person's.
    Tagged(String),
    /// A command that the person ran in the program, with what came of it.
    Shell {
        /// The command line.
        command: String,
        /// The result as the program words it.
        result: String,
    },
    /// Words of the program for the model.
    Injected,
    /// A mark beside an image.
    Mark,
}

/// The starts of the tags, without `<`, between which the program tells the model something.
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

/// Starts of texts of the program that have no tags.
const OPENINGS: [&str; 5] = [
    "# AGENTS.md instructions",
    "# Context from my IDE setup:",
    "Warning: apply_patch was requested via ",
    "Warning: The maximum number of unified exec processes",
    "The following is the Codex agent history",
];

/// Headings that stand before what a person wrote in an editor.
const REQUESTS: [&str; 2] = ["## My request for Codex:", "## My request:"];

/// The most pieces that the program puts before what a person wrote.
const MAX_INJECTED: usize = 50;

/// Tells what a piece of text is.
pub(super) fn said(text: &str) -> Said {
    let mut rest = text.trim();
    let is_mark = rest == "</image>"
        || rest.starts_with("<image") && rest.ends_with('>') && !rest.contains('\n');
    if is_mark && rest.matches('<').count() == 1 {
        return Said::Mark;
    }
    if let Some(shell) = shell(rest) {
        return shell;
    }
    if let Some(reply) = between(rest, "send_user_message_question_reply") {
        return Said::Written(reply.trim().to_owned());
    }
    if rest.starts_with("# ")
        && let Some(request) = request(rest)
    {
        rest = request;
    }
    for _ in 0..=MAX_INJECTED {
        let Some(end) = injected(rest) else { break };
        rest = rest.get(end..).unwrap_or_default().trim_start();
        if let Some(request) = request(rest).filter(|_| rest.starts_with('#')) {
            rest = request;
        }
    }
    match rest {
        rest if injected(rest).is_some() || rest.is_empty() => Said::Injected,
        rest if is_tagged(rest) => Said::Tagged(rest.to_owned()),
        rest => Said::Written(rest.to_owned()),
    }
}

/// Returns where words of the program end with which a text starts.
fn injected(text: &str) -> Option<usize> {
    if OPENINGS.iter().any(|opening| text.starts_with(opening)) {
        let end = text.find("</INSTRUCTIONS>").map(|at| at + "</INSTRUCTIONS>".len());
        return Some(end.unwrap_or(text.len()));
    }
    let inside = text.strip_prefix('<')?;
    let starts = |tag: &&&str| {
        inside.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag))
    };
    TAGS.iter().find(starts)?;
    let name = inside.split(['>', ' ', '\n']).next()?;
    let closes = |(at, _): &(usize, &str)| {
        let tag = text.get(at + 2..at + 2 + name.len());
        tag.is_some_and(|tag| tag.eq_ignore_ascii_case(name))
    };
    let close = text.match_indices("</").find(closes);
    let end = close.and_then(|(at, _)| Some(at + text.get(at..)?.find('>')? + 1));
    // What is never closed goes on to the end.
    Some(end.unwrap_or(text.len()))
}

/// Returns what stands below the heading of a request.
fn request(text: &str) -> Option<&str> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let heading = REQUESTS.iter().find(|heading| line.starts_with(**heading));
        if let Some(heading) = heading {
            return text.get(at + heading.len()..).map(str::trim);
        }
        at += line.len();
    }
    None
}

/// Returns whether all of a text stands between two tags of one name.
fn is_tagged(text: &str) -> bool {
    let Some(inside) = text.strip_prefix('<') else { return false };
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let name = &inside[..inside.find(|c| !is_name(c)).unwrap_or(inside.len())];
    // The tags of HTML have neither.
    name.contains(['_', '-']) && text.ends_with(&format!("</{name}>"))
}

fn between<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let inside = text.strip_prefix('<')?.strip_prefix(tag)?.strip_prefix('>')?;
    inside.strip_suffix('>')?.strip_suffix(tag)?.strip_suffix("</")
}

/// Reads a command that a person ran.
fn shell(text: &str) -> Option<Said> {
    let inside = between(text, "user_shell_command")?;
    let part = |tag: &str| {
        let (_, rest) = inside.split_once(&format!("<{tag}>"))?;
        let (found, _) = rest.rsplit_once(&format!("</{tag}>"))?;
        Some(found.trim().to_owned())
    };
    let result = part("result").unwrap_or_default();
    Some(Said::Shell { command: part("command")?, result })
}

/// Where an answer keeps what it took from memory, and what it proposes.
const CITATION: &str = "oai-mem-citation";

/// Returns the words of a model as readers see them: without the list of memories below them.
pub(super) fn answer(text: &str) -> String {
    let open = format!("<{CITATION}>");
    let close = format!("</{CITATION}>");
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(&open) {
        out.push_str(before);
        rest = behind.split_once(&close).map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    for tag in ["<proposed_plan>", "</proposed_plan>"] {
        if out.contains(tag) {
            out = out.replace(tag, "");
        }
    }
    out.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Said, answer, said};

    fn written(text: &str) -> Said {
        Said::Written(text.to_owned())
    }

    #[test]
    fn words_of_the_program_are_no_prompt() {
        for text in [
            "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nbe kind\n</INSTRUCTIONS>",
            "<environment_context>\n<cwd>/x</cwd>\n</environment_context>",
            "<user_instructions>never closed",
            "<permissions instructions>\nread\n</permissions instructions>",
            "<skill>\n<name>x</name>\n</skill>",
            "<SUBAGENT_NOTIFICATION>{}</subagent_notification>",
            "# Context from my IDE setup:\n\n## Open tabs:\n- a.rs",
        ] {
            assert_eq!(said(text), Said::Injected, "{text}");
        }
    }

    #[test]
    fn what_was_written_beside_them_is_kept() {
        let ide = "# Context from my IDE setup:\n\n## Open tabs:\n- a.rs\n\n\
                   ## My request for Codex:\nSharpen the saw\n";
        assert_eq!(said(ide), written("Sharpen the saw"));
        let page = "<in-app-browser-context>a page</in-app-browser-context>\nRead it";
        assert_eq!(said(page), written("Read it"));
        assert_eq!(said("a <b>bold</b> word"), written("a <b>bold</b> word"));
        assert_eq!(said("<div>x</div>"), written("<div>x</div>"));
        assert_eq!(
            said("<new_kind>x</new_kind>"),
            Said::Tagged("<new_kind>x</new_kind>".into())
        );
        assert_eq!(said("<image name=[Image #1]>"), Said::Mark);
    }

    #[test]
    fn a_command_of_a_person_is_one() {
        let text = "<user_shell_command>\n<command>\nls\n</command>\n<result>\nExit code: 0\n\
                    </result>\n</user_shell_command>";
        let shell = Said::Shell { command: "ls".into(), result: "Exit code: 0".into() };
        assert_eq!(said(text), shell);
    }

    #[test]
    fn memories_are_no_part_of_an_answer() {
        let text = "Done.\n<oai-mem-citation>\nx\n</oai-mem-citation>";
        assert_eq!(answer(text), "Done.");
    }
}
