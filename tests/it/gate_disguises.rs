//! Secrets that readers see but a search of the file misses: split by markup, lines or strings, or
//! written with other characters.

use convo_site::secrets::{RuleKind, RuleSet, Tier, rules, scan};

use crate::gate::{assert_nowhere, parts, site, talk, token};
use crate::support::hidden::seen;
use crate::support::{BASE, SiteTest, convo};

/// Every way to split or disguise a secret, with a name.
fn disguises(secret: &str) -> Vec<(&'static str, String)> {
    let (a, rest) = secret.split_at(11);
    let (b, c) = rest.split_at(11);
    let each = |write: &dyn Fn(char) -> String| secret.chars().map(write).collect();
    let wide = |c: char| char::from_u32(u32::from(c) + 0xfee0).expect("a wide character");
    // Letters from `A` and from `a`, in another form.
    let styled = |c: char, upper: u32, lower: u32| {
        let from = |start: u32, first: char| start + u32::from(c) - u32::from(first);
        let form = match c {
            'A'..='Z' => from(upper, 'A'),
            'a'..='z' => from(lower, 'a'),
            _ => u32::from(c),
        };
        char::from_u32(form).expect("a letter").to_string()
    };
    vec![
        ("strong", format!("{a}**{b}**{c}")),
        ("emphasis", format!("{a}*{b}*{c}")),
        ("both", format!("{a}***{b}***{c}")),
        ("strikethrough", format!("{a}~~{b}~~{c}")),
        ("code", format!("{a}`{b}`{c}")),
        ("a comment", format!("{a}<!-- of two words -->{b}{c}")),
        ("an instruction", format!("{a}<?x y?>{b}{c}")),
        ("a comment and an instruction", format!("{a}<!-- --><?x?>{b}{c}")),
        ("a declaration", format!("{a}<!X y>{b}{c}")),
        ("character data", format!("{a}<![CDATA[ of two ]]>{b}{c}")),
        ("a break", format!("{a}<wbr>{b}<wbr/>{c}")),
        ("elements", format!("{a}<b>{b}</b>{c}")),
        ("an element with attributes", format!("{a}<span class=\"x\">{b}</span>{c}")),
        ("a link", format!("{a}[{b}](https://harbour.example/a \"a title\"){c}")),
        ("a link at the beginning", format!("[{a}{b}](https://harbour.example/){c}")),
        ("a link with a label", format!("{a}[{b}][x]{c}\n\n[x]: https://harbour.example/")),
        ("a footnote", format!("{a}[^1]{b}{c}\n\n[^1]: A note.")),
        ("a picture", format!("{a}![](https://harbour.example/i.png){b}{c}")),
        ("the text of a picture", format!("{a}![{b}](https://harbour.example/i.png){c}")),
        ("a link and emphasis", format!("{a}[**{b}**](https://harbour.example/){c}")),
        ("a formula", format!("{a}${b}${c}")),
        ("a soft hyphen", format!("{a}\u{ad}{b}\u{200b}{c}")),
        ("references", format!("{}{b}{c}", a.replace('_', "&#95;"))),
        ("a reference and emphasis", format!("{}**{b}**{c}", a.replace('_', "&lowbar;"))),
        ("escaped references", each(&|c| format!("\\&#{};", u32::from(c)))),
        ("escaped references with two escapes", each(&|c| format!("\\&\\#{};", u32::from(c)))),
        ("references to references", each(&|c| format!("&amp;#x{:x};", u32::from(c)))),
        ("references in URLs", each(&|c| format!("%26%23{}%3B", u32::from(c)))),
        ("an escaped reference", format!("{}{b}{c}", a.replace('_', "\\&lowbar;"))),
        ("a backslash", format!("{}{b}{c}", a.replace('_', "\\_"))),
        ("a line that goes on", format!("```sh\nK={a}{b}\\\n{c}\n```")),
        ("a hard break", format!("{a}{b}  \n{c}")),
        ("a blank before a line end", format!("```sh\nK={a}{b} \n{c}\n```")),
        ("a blank behind a backslash", format!("```sh\nK={a}{b}\\ \n{c}\n```")),
        ("a diff", format!("```diff\n+K={a}\\\n+{b}\\\n+{c}\n```")),
        ("a quotation", format!("> {a}{b}\n> {c}")),
        ("strings with a plus", format!("`\"{a}\" + \"{b}\" + '{c}'`").replace('\'', "\"")),
        ("strings on two lines", format!("```py\nk = ('{a}{b}'\n     '{c}')\n```")),
        ("strings with a dot", format!("```php\n$k = '{a}' . '{b}' .\n    '{c}';\n```")),
        ("two kinds of strings", format!("```js\nk = \"{a}{b}\" + '{c}'\n```")),
        ("bytes on two lines", format!("```py\nk = (b'{a}{b}'\n     b'{c}')\n```")),
        ("an appended string", format!("```py\nk = '{a}{b}'\nk += '{c}'\n```")),
        ("a string appended with a dot", format!("```php\n$k = \"{a}{b}\";\n$k .= \"{c}\";\n```")),
        ("a plain diff", format!("```diff\n< K={a}{b}\\\n< {c}\n```")),
        ("a named line end", format!("{a}{b}&NewLine;{c}")),
        ("a named tab", format!("{a}{b}&Tab;{c}")),
        ("a line separator", format!("{a}{b}\u{2028}{c}")),
        ("a comment with another end", format!("{a}<!-- x --!>{b}{c}")),
        ("letters of a formula", format!("$\\mathtt{{{a}}}\\mathtt{{{b}}}\\mathtt{{{c}}}$")),
        ("hexadecimal digits", each(&|c| format!("{:02x}", u32::from(c)))),
        ("escapes of strings", each(&|c| format!("\\x{:02x}", u32::from(c)))),
        ("escapes of JSON", each(&|c| format!("\\u{:04x}", u32::from(c)))),
        ("escapes of Rust", each(&|c| format!("\\u{{{:x}}}", u32::from(c)))),
        ("escapes of Python", each(&|c| format!("\\U{:08x}", u32::from(c)))),
        ("octal digits", each(&|c| format!("\\{:03o}", u32::from(c)))),
        ("escapes of URLs", each(&|c| format!("%{:02X}", u32::from(c)))),
        ("escapes of URLs in URLs", each(&|c| format!("%25{:02X}", u32::from(c)))),
        (
            "an escaped backslash of a URL",
            each(&|c| if c == '_' { "%5C_".to_owned() } else { c.to_string() }),
        ),
        ("wide characters", each(&|c| wide(c).to_string())),
        ("mathematical letters", each(&|c| styled(c, 0x1d5a0, 0x1d5ba))),
        ("double-struck letters", {
            let gaps = [
                ('C', '\u{2102}'),
                ('H', '\u{210d}'),
                ('N', '\u{2115}'),
                ('P', '\u{2119}'),
                ('Q', '\u{211a}'),
                ('R', '\u{211d}'),
                ('Z', '\u{2124}'),
            ];
            let gap = |c: char| gaps.iter().find(|(letter, _)| *letter == c);
            each(&|c| {
                gap(c).map_or_else(|| styled(c, 0x1d538, 0x1d552), |(_, form)| form.to_string())
            })
        }),
        (
            "squared letters",
            each(&|c| match c {
                'A'..='Z' => styled(c, 0x1f130, 0),
                c => c.to_string(),
            }),
        ),
        (
            "white letters in black circles",
            each(&|c| match c {
                'A'..='Z' => styled(c, 0x1f150, 0),
                c => c.to_string(),
            }),
        ),
        ("circled letters", each(&|c| styled(c, 0x24b6, 0x24d0))),
        ("a wide character", {
            let mut letters = b.chars();
            let first = letters.next().map(wide).expect("a letter");
            format!("{a}{first}{}{c}", letters.as_str())
        }),
        ("colours of a terminal", format!("{a}\u{1b}[1;31m{b}\u{1b}[m\u{1b}[K{c}")),
        ("a colour of one character", format!("{a}\u{9b}1m{b}{c}")),
        ("a short sequence", format!("{a}\u{1b}M{b}{c}")),
        ("colours as they are printed", format!("{a}^[[1m{b}^[[0m{c}")),
        ("colours in strings", format!("`{a}\\x1b[1m{b}\\033[0m{c}`")),
        ("colours in JSON", format!("`{a}\\u001b[1m{b}\\\\u001b[0m{c}`")),
        ("colours without an escape", format!("{a}[1m{b}[0m{c}")),
        ("control characters", format!("{a}\u{7}{b}\u{7f}{c}")),
    ]
}

/// Returns whether a page visibly contains a part of a secret.
fn is_shown(page: &str, secret: &str) -> bool {
    let text: String = seen(page).chars().filter(|c| !c.is_whitespace()).collect();
    parts(secret).into_iter().any(|part| text.contains(part))
}

#[test]
fn no_disguise_hides_a_secret() {
    let mut shown = Vec::new();
    for gate in ["[gate]\ncertain = \"redact\"\n", ""] {
        let config =
            format!("{BASE}downloads = [\"markdown\", \"json\"]\nindex = \"auto\"\n{gate}");
        let new = SiteTest::new().file("site.toml", config);
        let secrets: Vec<String> = (0..disguises(&token(0)).len() as u32).map(token).collect();
        for (number, secret) in secrets.iter().enumerate() {
            let (_, written) = disguises(secret).swap_remove(number);
            // In a turn, and in the title if it is a single line.
            new.write(&format!("content/{number:03}.md"), talk(&format!("Take {written}")));
            if !written.contains(['\n', '"']) {
                let titled = format!(
                    "---\ntitle: \"Lamps {}\"\n---\n\n**Wren:** Which?\n\n**Finch:** The red one.\n",
                    written.replace('\\', "\\\\")
                );
                new.write(&format!("content/title-{number:03}.md"), titled);
            }
        }
        let run = new.run(&["build"]);
        let output = new.output();
        for (number, secret) in secrets.iter().enumerate() {
            let (name, written) = disguises(secret).swap_remove(number);
            for (path, bytes) in &output {
                let text = String::from_utf8_lossy(bytes);
                if parts(secret).into_iter().any(|part| text.contains(part))
                    || path.ends_with(".html") && is_shown(&text, secret)
                    || text.contains(&written)
                {
                    shown.push(format!("{name}: {path}"));
                }
            }
        }
        assert!(!run.stderr.contains("secret-missed"), "{}", run.stderr);
        let all: Vec<&str> = secrets.iter().flat_map(|secret| parts(secret)).collect();
        assert_nowhere(&new, &[&run], &all);
    }
    assert!(shown.is_empty(), "{}:\n{}", shown.len(), shown.join("\n"));
}

/// Parts of a secret in turns that follow each other, written in several ways.
#[test]
fn a_secret_that_is_split_over_turns_is_found() {
    let secret = token(7);
    let (a, rest) = secret.split_at(13);
    let (b, c) = rest.split_at(13);
    let cue = |number: usize, text: &str| {
        format!("00:00:0{number}.000 --> 00:00:0{number}.900\n<v Wren>{text}</v>\n\n")
    };
    let line =
        |number: usize, who: &str, text: &str| format!("14/03/26, 18:2{number} - {who}: {text}\n");
    let said = |text: &str| format!("---\nspeakers: [Wren, Finch]\n---\n\n{text}");
    for (file, text) in [
        (
            "a.md",
            said(&format!("**Wren:** It begins with {a}{b}\n\n**Finch:** {c} is the rest.\n")),
        ),
        ("a.md", said(&format!("**Wren:** Take `{a}`\n\n**Finch:** `{b}`\n\n**Wren:** `{c}`.\n"))),
        ("a.md", said(&format!("**Wren:** Take {a}{b}…\n\n**Finch:** …{c}\n"))),
        ("a.vtt", format!("WEBVTT\n\n{}{}", cue(1, &format!("It is {a}{b}")), cue(2, c))),
        (
            "chat.txt",
            line(0, "Wren", a)
                + &line(1, "Wren", b)
                + &line(2, "Wren", c)
                + &line(3, "Finch", "So"),
        ),
    ] {
        for gate in ["", "[gate]\ncertain = \"redact\"\n"] {
            let source = "[[source]]\nfiles = 'chat.txt'\nvisibility = 'public'\n";
            let new = site(&format!("{source}{gate}"), &talk("Hello."));
            new.write(&format!("content/{file}"), &text);
            let run = new.run(&["build"]);
            assert!(run.stderr.contains("GitHub"), "{text}{}", run.stderr);
            assert_nowhere(&new, &[&run], &[a.trim_start_matches("ghp_"), b, c]);
        }
    }
    // Without the checksum, they are words.
    let new = site("", &talk("Hello."));
    let other = c.chars().rev().collect::<String>();
    new.write("content/a.md", said(&format!("**Wren:** Take {a}{b}\n\n**Finch:** {other}\n")));
    assert!(!new.build(0).stderr.contains("GitHub"));
}

/// Words before or after a value do not hide it. Only the name that it is assigned to can make it
/// an example, unless its checksum is valid, or it has a prefix and looks random.
#[test]
fn text_around_a_secret_hides_nothing() {
    let around = [
        ("For example ", ""),
        ("ask boat@mill.example ", ""),
        ("the fake server wants ", ""),
        ("a dummy, then: ", ""),
        ("export EXAMPLE_TOKEN=", ""),
        ("MOCK_KEY: ", ""),
        ("{\"fake_token\": \"", "\"}"),
        ("bogus = '", "'"),
        ("see https://example.org/ and ", ""),
        ("this is no placeholder but ", ""),
        ("It was ", "."),
        ("It was ", "..."),
        ("It was ", "…"),
        ("It was ", "!"),
        ("Was it ", "?"),
        ("It was ", ": so"),
        ("It was ", "; so"),
        ("It was ", ", so"),
        ("(", ")"),
        ("(", ".)"),
        ("“", ".”"),
        ("`", "`."),
        ("<", ">"),
        ("", " - it was"),
        ("", "—it was"),
    ];
    let secret = RuleSet::of(|rule| rule.kind == RuleKind::Secret);
    let mut missed = Vec::new();
    let certain =
        rules().filter(|rule| rule.kind == RuleKind::Secret && rule.tier == Tier::Certain);
    let mut kinds = 0;
    for rule in certain {
        for seed in 0..4 {
            let example = rule.example(seed);
            // A value alone, without a name before it.
            if example.range != (0..example.text.len())
                || example.text.contains(char::is_whitespace)
            {
                continue;
            }
            kinds += usize::from(seed == 0);
            for (before, after) in around {
                let text = format!("{before}{}{after}", example.text);
                let found = scan(&text, &secret);
                if !found.iter().any(|found| found.tier == Tier::Certain) {
                    missed.push(format!("{} {before:?} {after:?}", rule.id));
                }
            }
        }
    }
    assert!(kinds > 50, "{kinds}");
    missed.dedup();
    assert!(missed.is_empty(), "{}:\n{}", missed.len(), missed.join("\n"));
}

/// One secret is one finding, and the text around it stays, whatever name it is assigned to.
#[test]
fn text_around_a_secret_is_not_redacted() {
    let rule = rules().find(|rule| rule.id == "anthropic-key").expect("a rule");
    let secret = rule.example(1).secret().to_owned();
    let names = ["", "KEY=", "ANTHROPIC_API_KEY=", "api_key: ", "password: ", "--token "];
    for (before, after) in [("`", "`."), ("", ". So"), ("*", "*. So"), ("**`", "`**."), ("(", ".)")]
    {
        for name in names {
            let text = |secret: &str| format!("Set {before}{name}{secret}{after}");
            let shown = text("[redacted: Anthropic key]");
            let site = SiteTest::new()
                .file("site.toml", format!("{BASE}markdown = true\n[gate]\ncertain = 'redact'\n"))
                .file("content/a.convo", convo(&text(&secret)));
            let run = site.build(0);
            assert_eq!(run.stderr.matches("hint[redacted]").count(), 1, "{name}: {}", run.stderr);
            let copy = site.page("c/", "/index.md").replace('\\', "");
            assert!(copy.contains(&shown), "{shown}\n{copy}");
        }
    }
}

/// The name of a value without a prefix can mark it as invented.
#[test]
fn values_named_as_examples_are_examples() {
    let site = site(
        "",
        &talk("`EXAMPLE_TOKEN=q7Rt2mXw9LzK4vBn8sYd` and `fakePassword: \"q7Rt2mXw9LzK\"`"),
    );
    site.build(0);
}

/// Slack writes its own marks like comments of HTML.
#[test]
fn a_comment_inside_of_a_key_hides_nothing_in_slack() {
    let secret = token(7);
    let (start, end) = secret.split_at(12);
    let message = serde_json::json!({"channel_id": "C1", "name": "pond", "messages": [
        {"type": "message", "user": "U1", "ts": "1772604500.000200", "text": format!("Take {start}<!-- -->{end}.")},
    ]});
    let config = "[gate]\ncertain = \"redact\"\n[[source]]\nfiles = \"**\"\nvisibility = \"public\"\n\
                  direct_messages = true\n";
    let site = SiteTest::new().file("site.toml", format!("{BASE}{config}"));
    site.write("content/pond.json", message.to_string());
    site.build(0);
    let page = site.page("c/", "index.html");
    assert!(page.contains("Take ") && !is_shown(&page, &secret), "{page}");
    assert!(!page.contains("@--"), "{page}");
}
