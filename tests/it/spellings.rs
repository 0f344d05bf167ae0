//! Redacted words and names in all spellings that readers would see.

use crate::support::{BASE, SiteTest, unpacked};

/// The lines of a conversation, each with a number.
fn talk(lines: &[&str]) -> String {
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        text.push_str(&format!("line {number}: {line} done.\n\n"));
    }
    format!("---\ntitle: Lamps\n---\n\n**Wren:** Which?\n\n**Finch:** These.\n\n{text}\n")
}

/// The lines of the Markdown copy, without their numbers.
fn lines(site: &SiteTest) -> Vec<String> {
    let copy = site.page("c/", "/index.md");
    let all = copy.split("line ").skip(1).map(|rest| {
        let rest = rest.split(" done.").next().expect("a line");
        rest.split_once(": ").expect("a number").1.to_owned()
    });
    all.collect()
}

#[track_caller]
fn check(config: &str, spellings: &[(&str, &str)]) {
    let written: Vec<&str> = spellings.iter().map(|(written, _)| *written).collect();
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}downloads = [\"markdown\"]\n{config}"))
        .file("content/talk.md", talk(&written));
    site.build(0);
    let lines = lines(&site);
    assert_eq!(lines.len(), spellings.len(), "{lines:?}");
    for (line, (written, seen)) in lines.iter().zip(spellings) {
        assert_eq!(line, seen, "{written}");
    }
}

#[test]
fn words_are_found_in_every_spelling_that_readers_see() {
    let config = "[[redact]]\nwords = [\"Acme Ltd\", \"José\", \"Άδα\", \"Işık\", \"Zum Groß\", \
        \"E*Trade\"]\nwith = \"CLIENT\"\n";
    check(
        config,
        &[
            ("&#65;cme Ltd", "CLIENT"),
            ("A&#x63;m&#101; L&#116;d", "CLIENT"),
            ("Acme&nbsp;Ltd", "CLIENT"),
            ("Acme\u{a0}\u{2009}Ltd", "CLIENT"),
            ("Acme\nLtd", "CLIENT"),
            ("Ac\u{200b}me Lt\u{ad}d", "CLIENT"),
            ("Acme&shy; Ltd", "CLIENT"),
            ("**Acme** Ltd", "CLIENT"),
            ("_Acme Ltd_", "_CLIENT_"),
            ("Acme-Ltd, acme_ltd, ACMELTD, acme.ltd", "CLIENT, CLIENT, CLIENT, CLIENT"),
            ("https://example.org/acme%20ltd/acme+ltd", "https://example.org/CLIENT/CLIENT"),
            ("Ａｃｍｅ Ltd", "CLIENT"),
            ("Acme Ltd's, Acme Ltds", "CLIENT's, CLIENTs"),
            (
                "JOSÉ, JOSE\u{301}, jose\u{301}, Jos&eacute;, Jos&#233;, Jose",
                "CLIENT, CLIENT, CLIENT, CLIENT, CLIENT, CLIENT",
            ),
            ("ΆΔΑ, ΑΔΑ, άδα", "CLIENT, CLIENT, CLIENT"),
            ("IŞIK, ışık, Isik", "CLIENT, CLIENT, CLIENT"),
            ("ZUM GROSS, zum groß", "CLIENT, CLIENT"),
            ("E*TRADE", "CLIENT"),
            ("Acme Ltda, Macme Ltd, Joséphine", "Acme Ltda, Macme Ltd, Joséphine"),
        ],
    );
}

/// Excerpts omit such prefixes, and readers ignore them.
#[test]
fn words_are_found_after_line_prefixes() {
    let site = SiteTest::new();
    let config = "markdown = true\n[[redact]]\nwords = [\"Acme Ltd\"]\nwith = \"CLIENT\"\n";
    site.write("site.toml", format!("{BASE}{config}"));
    let marks = [
        ("   7\u{2192}", "   8\u{2192}"),
        ("7\t", "8\t"),
        ("7:", "8:"),
        ("src/a.rs:7:", "src/a.rs:8:"),
        ("src/a.rs-7-", "src/a.rs-8-"),
        ("+", "+"),
        ("-", "-"),
        ("# ", "# "),
        ("// ", "// "),
        ("//! ", "//! "),
        ("-- ", "-- "),
        ("| ", "| "),
        ("+    // ", "+    // "),
        ("", "-----\n"),
        ("", "[12:34] "),
    ];
    for (number, (first, next)) in marks.iter().enumerate() {
        let text = format!("{first}We met{number} Acme\n{next}Ltd on Friday\n");
        let code = format!("```\n{text}```");
        for (name, [prompt, answer]) in
            [("read", ["What is there?", code.as_str()]), ("typed", [text.as_str(), "Yes."])]
        {
            let talk = serde_json::json!({"messages": [
                {"role": "user", "content": prompt},
                {"role": "assistant", "content": answer},
            ]});
            site.write(&format!("content/{name}-{number}.json"), talk.to_string());
        }
    }
    let run = site.build(0);
    let output = site.output();
    let texts = output.values().map(|bytes| String::from_utf8_lossy(bytes));
    let all = (texts.collect::<String>() + &unpacked(&output)).to_lowercase();
    let shown = all.matches("met").count();
    assert!(shown >= 2 * marks.len(), "{shown} {}", run.stderr);
    for (number, mark) in marks.iter().enumerate() {
        let start = format!("met{number} ");
        for (at, _) in all.match_indices(&start) {
            let rest: String = all[at + start.len()..].chars().take(6).collect();
            assert!(rest.starts_with("client"), "{mark:?}: {rest}");
        }
    }
}

#[test]
fn patterns_are_found_in_escaped_text() {
    check(
        "[[redact]]\npattern = 'Ticket-\\d+'\nwith = \"T\"\n",
        &[
            ("Ticket-12, Ticket&#45;13, Ticket\\-14, Ti&shy;cket-15", "T, T, T, T"),
            ("ticket-12", "ticket-12"),
        ],
    );
}

#[test]
fn split_words_are_found() {
    let config = "[[redact]]\nwords = [\"Acme Ltd\", \"Zeta\"]\nwith = \"CLIENT\"\n\
        [[redact]]\npattern = 'Ticket-\\d+'\nwith = \"T\"\n\
        [people.\"Bea Noor\"]\npseudonym = true\nas = \"Cleo Moss\"\n";
    check(
        config,
        &[
            ("[Ac](https://a.example/)me Ltd", "CLIENT"),
            ("[the Ac](https://a.example/)me Ltd", "[the CLIENT"),
            ("[Acme](https://a.example/) Ltd", "CLIENT"),
            ("[Acme Ltd](https://a.example/)", "[CLIENT](https://a.example/)"),
            ("Ac~~me~~ Ltd, ~~Ac~~me Ltd, ~~Acme Ltd~~", "CLIENT, CLIENT, ~~CLIENT~~"),
            (r"$\mathrm{Ac me~Ltd}$, $Z e t a$", r"$\mathrm{CLIENT}$, $CLIENT$"),
            (r"\(\mathrm{Ze}\mathrm{ta}\), \text{Zeta}", r"\(\mathrm{CLIENT}\), \text{CLIENT}"),
            (r"`{'a': 'Acme\nLtd', 'b': 'Acme\r\n  Ltd'}`", "`{'a': 'CLIENT', 'b': 'CLIENT'}`"),
            ("[Tick](https://a.example/)et-12", "T"),
            ("[Be](https://a.example/)a Noor, Be~~a~~, $B e a$", "Cleo Moss, Cleo, $Cleo$"),
            (
                "https://b.example/x%20Bea%20y, /Bea%20Noor, Bea.",
                "https://b.example/x%20cleo%20y, /cleo-moss, Cleo.",
            ),
            // Words that only look similar.
            (
                "[Ze](https://a.example/)tail, $5 for Z e t a $6, [Ze]: ta",
                "[Ze](https://a.example/)tail, $5 for Z e t a $6, [Ze]: ta",
            ),
        ],
    );
}

#[test]
fn words_that_cannot_be_redacted_withhold_the_conversation() {
    // Each level is only visible once the inner one is removed.
    let nested = (0..8).fold("Zeta".to_owned(), |inside, _| format!("Ze<b>{inside}</b>ta"));
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}[[redact]]\nwords = [\"Zeta\"]\nwith = \"\"\n"))
        .file("content/other.md", "**Wren:** So?\n\n**Finch:** So.\n")
        .file("content/talk.md", talk(&[nested.as_str()]));
    let run = site.build(1);
    assert!(run.stderr.contains("would still be visible"), "{}", run.stderr);
    assert!(run.stderr.contains("talk.md"), "{}", run.stderr);
    let output = site.output();
    assert!(!output.keys().any(|path| path.contains("lamps")), "{:?}", output.keys());
    // Everything else may be published.
    let run = site.run(&["check", "--publish"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn replacements_are_shown_literally() {
    let put = "*a* <b>b</b> [c](d) `d`";
    let config = format!(
        "{BASE}[[redact]]\nwords = [\"Zeta\"]\nwith = \"{put}\"\n[[redact]]\nwords = \
         [\"Acme\"]\n[people.\"Bea Noor\"]\npseudonym = true\nas = \"Cleo *Moss\"\n"
    );
    let text = "**The Zeta** and Zeta, `in Zeta so`, Acme(see), Bea Noor* there.\n\nAcme: yes.";
    let site = SiteTest::new().file("site.toml", config).file("content/talk.md", talk(&[text]));
    site.build(0);
    let page = site.page("c/", "/index.html");
    let put = "*a* &lt;b&gt;b&lt;/b&gt; [c](d) `d`";
    assert!(page.contains(&format!("<strong>The {put}</strong> and {put}")), "{page}");
    assert!(page.contains("<code>in *a* &lt;b&gt;b&lt;/b&gt; [c](d) 'd' so</code>"));
    assert!(page.contains("[redacted](see)") && page.contains("[redacted]: yes."), "{page}");
    assert!(page.contains("Cleo *Moss* there."), "{page}");
}

#[test]
fn too_many_words_stop_the_build() {
    let long = "wren finch ".repeat(80);
    let words: Vec<String> = (0..1250).map(|at| format!("\"{long}{at}\"")).collect();
    let config = format!("{BASE}[[redact]]\nwords = [{}]\n", words.join(", "));
    let site = SiteTest::new().file("site.toml", config).file("content/talk.md", talk(&["Zeta"]));
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("too many words to search for"), "{}", run.stderr);
    assert!(!site.path("public").exists());
}

#[test]
fn a_conversation_with_too_many_people_is_skipped() {
    let long = format!("W{}n Finch", "re".repeat(480));
    let names: Vec<String> = (0..700).map(|at| format!("{long}{at}")).collect();
    let turns: String = names.iter().map(|name| format!("### @{name}\nHm, {name}.\n\n")).collect();
    let participants = serde_json::json!({
        "type": "dialog", "time": "2026-03-04T09:00:00Z", "participants": names
    });
    let chat = format!("{turns}----\n{participants}\n");
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}[people]\nothers = \"pseudonym\"\n"))
        .file("content/other.md", "**Wren:** So?\n\n**Finch:** So.\n")
        .file("content/crowd.convo", chat);
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("too many speakers to search for"), "{}", run.stderr);
    assert!(run.stderr.contains("crowd.convo"), "{}", run.stderr);
    for (name, bytes) in site.output() {
        assert!(!String::from_utf8_lossy(&bytes).contains("rererere"), "{name}");
    }
}

#[test]
fn names_are_found_in_every_spelling_that_readers_see() {
    let config = "[people.\"Bea Noor\"]\nnames = [\"José\", \"Άδα\", \"bea_n\", \"Şule\", \"Bo\"]\n\
        pseudonym = true\nas = \"Cleo Moss\"\n";
    check(
        config,
        &[
            ("&#66;ea Noor", "Cleo Moss"),
            ("Bea&nbsp;Noor, Bea\u{a0}Noor, Bea  Noor", "Cleo Moss, Cleo Moss, Cleo Moss"),
            ("Bea\nNoor", "Cleo Moss"),
            ("B&#101;a, Be\u{ad}a, Be\u{200b}a", "Cleo, Cleo, Cleo"),
            ("BEA; NOOR; BEA NOOR", "Cleo; Moss; Cleo Moss"),
            ("Bea's, Beas, BEAS, Noors", "Cleo's, Cleos, CleoS, Mosss"),
            (
                "JOSÉ, Jose\u{301}, Jos&eacute;, Jos%C3%A9",
                "Cleo Moss, Cleo Moss, Cleo Moss, Cleo Moss",
            ),
            ("ΆΔΑ, ΑΔΑ", "Cleo Moss, Cleo Moss"),
            ("ŞULE, S\u{327}ule", "Cleo Moss, Cleo Moss"),
            ("bea\\_n, BEA&#95;N, @bea\\_n", "cleo-moss, cleo-moss, @cleo-moss"),
            ("`\"a\\nBea\"`", "`\"a\\nCleo\"`"),
            (
                "Beacon, bean, Noordwijk, BO, Josef, beat",
                "Beacon, bean, Noordwijk, BO, Josef, beat",
            ),
        ],
    );
}

#[test]
fn mentioned_people_are_found_in_every_spelling_that_readers_see() {
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}[people]\nothers = \"pseudonym\"\n"))
        .file(
            "content/talk.md",
            "**Lisbeth Noorland:** I am &#76;isbeth, Lis\u{ad}beth, LISBETH or Lis\u{200b}beths sister.\n\n\
             **Joséphin:** And I JOSÉPHIN, Jos&eacute;phin or Jose\u{301}phin.\n",
        );
    site.build(0);
    let output = site.output();
    let index = ("the index".to_owned(), unpacked(&output).into_bytes());
    // Words long enough not to occur in a hash by chance.
    let words = [
        "&#76;isbeth", "lis\u{ad}beth", "lis\u{200b}beth", "lisbeth", "noorland", "joséphin",
        "jos&eacute;phin", "jose\u{301}phin", "josephin",
    ];
    for (name, bytes) in output.into_iter().chain([index]) {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        for word in words {
            assert!(!text.contains(word), "{name}: {word}");
        }
    }
}
