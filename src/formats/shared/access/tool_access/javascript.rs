//! Finds programs in JavaScript that may call any of an agent's tools, because they use the object of all
//! tools as a value or compute names.

use super::names::{Name, names_in};

/// Words of such programs; shell commands have none of them beside `tools`.
const KEYWORDS: [&str; 7] = ["await", "async", "const", "let", "var", "function", "return"];
/// What runs text as a program, or contains all names.
const ALL_NAMES: [&str; 4] = ["eval", "Function", "Reflect", "globalThis"];

/// Returns whether a program in JavaScript uses the object `tools` other than as `tools.name` or
/// `tools["name"]`, so that it may call any tool.
pub(super) fn may_call_any_tool(program: &str) -> bool {
    if !program.contains("tools") && ALL_NAMES.iter().all(|name| !program.contains(name)) {
        return false;
    }
    let code = code_of(program);
    let names = names_in(&code);
    let is_keyword = |name: &Name<'_>| KEYWORDS.contains(&name.text);
    if !names.iter().any(is_keyword) && !code.contains("=>") {
        return false;
    }
    let mut last = "";
    names.iter().any(|name| {
        let after_word = ["await", "in", "of", "return", "typeof"].contains(&last)
            && name.before.trim().is_empty();
        last = name.text;
        let is_value = || {
            let before = name.before.trim_end();
            let marks = ['=', '(', '[', '{', ',', ':', '?', '|', '&', '!'];
            after_word || before.ends_with(marks) || before.ends_with("=>")
        };
        match name.text.trim_matches('.') {
            text if ALL_NAMES.contains(&text.split('.').next().unwrap_or_default()) => true,
            "tools" => {
                let is_member = name.after.trim_start().starts_with('[');
                name.after.starts_with("?.")
                    || name.text.starts_with('.')
                    || !is_member && is_value()
            }
            text => text.contains(".tools.") || text.ends_with(".tools"),
        }
    })
}

/// Returns a program in JavaScript without its comments and the contents of its strings, except for the
/// expressions in templates.
fn code_of(program: &str) -> String {
    let mut code = String::with_capacity(program.len());
    // The open braces of each template expression around the place, innermost last.
    let mut templates: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some(rest) = program.get(at..).filter(|rest| !rest.is_empty()) {
        let c = rest.chars().next().unwrap_or_default();
        let inside = rest.get(c.len_utf8()..).unwrap_or_default();
        let ends_expression = c == '}' && templates.last() == Some(&0);
        let skipped = match c {
            '/' if inside.starts_with('/') => rest.find('\n').unwrap_or(rest.len()),
            '/' if inside.starts_with('*') => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' | '\'' => 1 + text_len(inside, c).0,
            '`' | '}' if c == '`' || ends_expression => {
                if ends_expression {
                    templates.pop();
                }
                let (len, has_expression) = text_len(inside, '`');
                if has_expression {
                    templates.push(0);
                }
                1 + len
            }
            _ => 0,
        };
        if skipped > 0 {
            code.push_str(if c == '/' { " " } else { "\"\"" });
            at += skipped;
            continue;
        }
        match (c, templates.last_mut()) {
            ('{', Some(open)) => *open += 1,
            ('}', Some(open)) => *open = open.saturating_sub(1),
            _ => {}
        }
        code.push(c);
        at += c.len_utf8();
    }
    code
}

/// Returns the length of the text of a string with its end, and whether an expression follows.
fn text_len(text: &str, quote: char) -> (usize, bool) {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' if quote != '`' => return (at, false),
            '$' if quote == '`' && text[at + 1..].starts_with('{') => return (at + 2, true),
            c if c == quote => return (at + 1, false),
            _ => {}
        }
    }
    (text.len(), false)
}

#[cfg(test)]
mod tests {
    use super::may_call_any_tool;

    #[test]
    fn programs_that_may_call_any_tool_are_recognised() {
        for program in [
            "const t = tools; text(await t.lamp({}));",
            "const {lamp} = tools;\nawait lamp({});",
            "for (const [name, run] of Object.entries(tools)) { await run({}); }",
            "await tools?.lamp({});",
            "await globalThis.tools.lamp({});",
            "await Reflect.get(globalThis, 'to' + 'ols').lamp({});",
            "const all = {...tools}; await all.lamp({});",
            "text(`${await ((t) => t.lamp({}))(tools)} lamps`);",
            "await eval('to' + 'ols.lamp({})');",
            "return tools",
        ] {
            assert!(may_call_any_tool(program), "{program}");
        }
        for program in [
            "// All tools\nconst r = await tools.exec_command({cmd: \"ls (tools, lib)\"});",
            "const r = await tools.exec_command({cmd: `cp -r {tools,lib} ${folder}`}); /* = tools */",
            "const cmd = 'x = tools'; await tools['exec_command']({cmd});",
            "cp -r {tools,lib} /tmp",
            "cd tools; ls (tools)",
        ] {
            assert!(!may_call_any_tool(program), "{program}");
        }
    }
}
