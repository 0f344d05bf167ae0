//! Words and names that nobody is to see, in all the spellings in which readers would see them.

use crate::support::{BASE, SiteTest, unpacked};

/// Lines of a talk, each with its number.
fn talk(lines: &[&str]) -> String {
    let mut said = String::new();
    for (number, line) in lines.iter().enumerate() {
        said.push_str(&format!("line {number}: {line} done.\n\n"));
    }
    format!("---\ntitle: Lamps\n---\n\n**Wren:** Which?\n\n**Finch:** These.\n\n{said}\n")
}

/// The lines of the copy in Markdown, without their numbers.
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
            ("**Acme** Ltd", "**CLIENT"),
            ("_Acme Ltd_", "_CLIENT_"),
            ("Acme-Ltd, acme_ltd, ACMELTD, acme.ltd", "CLIENT, CLIENT, CLIENT, CLIENT"),
            (
                "https://example.org/acme%20ltd/acme+ltd",
                "https://example.org/CLIENT/CLIENT",
            ),
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

#[test]
fn patterns_are_found_behind_escapes() {
    check(
        "[[redact]]\npattern = 'Ticket-\\d+'\nwith = \"T\"\n",
        &[
            ("Ticket-12, Ticket&#45;13, Ticket\\-14, Ti&shy;cket-15", "T, T, T, T"),
            ("ticket-12", "ticket-12"),
        ],
    );
}

#[test]
fn names_are_found_in_every_spelling_that_readers_see() {
    let config = "[people.\"Bea Noor\"]\nnames = [\"José\", \"Άδα\", \"bea_n\", \"Şule\", \"Bo\"]\n\
        pseudonym = true\nas = \"Cleo Moss\"\n";
    check(
        config,
        &[
            ("&#66;ea Noor", "Cleo Moss"),
            (
                "Bea&nbsp;Noor, Bea\u{a0}Noor, Bea  Noor",
                "Cleo Moss, Cleo Moss, Cleo Moss",
            ),
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
fn others_are_found_in_every_spelling_that_readers_see() {
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}[people]\nothers = \"pseudonym\"\n"))
        .file(
            "content/talk.md",
            "**Bea Noor:** I am &#66;ea, B\u{ad}ea, BEA or Be\u{200b}as sister.\n\n\
             **José:** And I JOSÉ, Jos&eacute; or Jose\u{301}.\n",
        );
    site.build(0);
    let output = site.output();
    // What is packed may have three letters in a row by chance.
    let index = ("the index".to_owned(), unpacked(&output).into_bytes());
    let files = output.into_iter().filter(|(name, _)| !name.ends_with(".bin"));
    for (name, bytes) in files.chain([index]) {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        for word in ["&#66;ea", "b\u{ad}ea", "noor", "jos", "be\u{200b}a", "bea"] {
            assert!(!text.contains(word), "{name}: {word}");
        }
    }
}
