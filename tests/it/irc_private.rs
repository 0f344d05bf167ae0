//! IRC logs: who may read them, whose names they have, and which lines no page shows.

use crate::chat_names::all;
use crate::support::{BASE, Run, SiteTest};

const CHANNELS: &str = "[[source]]\nfiles = \"**\"\nvisibility = \"public\"\n";
const ALL: &str = "[[source]]\nfiles = \"**\"\nvisibility = \"public\"\ndirect_messages = true\n";
const OPENED: &str = "--- Log opened Sun Mar 01 10:00:00 2026\n";

/// Builds a site with a log, beside another one that is published.
fn built(rule: &str, path: &str, log: &str) -> (SiteTest, Run) {
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}{rule}"))
        .file("people.key", "00112233445566778899aabbccddeeff\n")
        .file("content/#gate.log", format!("{OPENED}10:00 <dora> is it open?\n10:01 <eve> no\n"))
        .file(&format!("content/{path}"), log);
    let run = site.build(0);
    (site, run)
}

/// Returns whether a log of two people is published by a rule for channels.
fn is_published(path: &str, row: &str) -> bool {
    let log = format!("{OPENED}10:00 <ada> hello\n{row}\n10:02 <bob> my pelargonium\n");
    let (site, run) = built(CHANNELS, path, &log);
    let is_published = all(&site).contains("pelargonium");
    assert_eq!(run.stderr.contains("direct_messages"), !is_published, "{path}: {}", run.stderr);
    is_published
}

#[test]
fn only_file_names_of_programs_make_a_log_a_channel_log() {
    for (path, is_channel) in [
        ("#mill.log", true),
        ("##mill.log", true),
        ("&mill.log", true),
        ("#mill_20260301.log", true),
        ("#mill.2026-03-01.log", true),
        ("irc.libera.#mill.weechatlog", true),
        ("libera_#mill_20260301.log", true),
        ("libera-#mill.log", true),
        ("libera/#mill/2026-03-01.log", true),
        ("2026/03/01/#mill.txt", true),
        ("R&D/bob.log", false),
        ("R&D/2026-03-01.log", false),
        ("boats #2/bob.log", false),
        ("#boats/bob.log", false),
        ("#boats/bob.2026-03-01.log", false),
        ("#boats/dm/2026-03-01.log", false),
        ("C#.log", false),
        ("bob #2.log", false),
        ("bob_#2.log", false),
        ("#1 bob.log", false),
        ("bob & me.log", false),
        ("bob.log", false),
    ] {
        assert_eq!(is_published(path, ""), is_channel, "{path}");
    }
}

#[test]
fn an_unknown_line_does_not_open_a_log() {
    for (row, is_channel) in [
        ("10:01 -!- ada [~ada@mill.example] has joined #mill", true),
        ("10:01 *** Joins: ada (~ada@mill.example)", true),
        ("10:01 * ada (~ada@mill.example) has joined #mill", true),
        ("10:01 *\tNow talking on #mill", true),
        ("=== ada [~ada@mill.example] has joined #mill", true),
        ("10:01 ada (~ada@mill.example) joined the channel.", true),
        ("10:01 Somebody joined us", false),
        ("10:01 Ada joined #mill", false),
        ("10:01 Joins: ada", false),
        ("10:01 Topic for #mill: boats", false),
        ("10:01 -!- Topic for #mill: boats", false),
        ("10:01 -!- Somebody joined us", false),
        ("10:01 -bob:#mill- boats", false),
        ("10:01 * bob has joined #mill", false),
        ("10:01 *\tbob has joined the army", false),
        ("10:01 *\tNow talking on the phone", false),
        ("=== bob joined #mill", false),
        ("Somebody joined #mill", false),
    ] {
        assert_eq!(is_published("x/carol.log", row), is_channel, "{row}");
    }
}

#[test]
fn the_name_of_the_other_person_is_in_no_title_and_no_url() {
    let log = format!(
        "{OPENED}10:00 <ada> hello there, my pelargonium\n10:01 <ada> karolina, I am waiting\n"
    );
    for path in [
        "karolina.log",
        "dm/karolina.log",
        "libera/karolina/2026-03-01.log",
        "2026/03/01/karolina.txt",
        "2026-03-01-karolina.log",
        "libera_karolina_20260301.log",
        "libera-karolina.log",
        "irc.libera.karolina.weechatlog",
        "irc.libera.karolina.2026-03-01.weechatlog",
    ] {
        let (site, run) = built(ALL, path, &log);
        let all = all(&site);
        assert!(all.contains("pelargonium"), "{path}: {}", run.stderr);
        assert!(!all.contains("karolina"), "{path}");
    }
}

#[test]
fn messages_to_services_are_not_shown() {
    for path in [
        "dm/nickserv.log",
        "dm/NickServ.log",
        "libera/nickserv/2026-03-01.log",
        "2026/03/01/chanserv.txt",
        "irc.libera.nickserv.weechatlog",
        "irc.server.libera.weechatlog",
        "libera_nickserv_20260301.log",
        "libera-MemoServ.log",
        "nickserv@services.log",
        "quakenet/q.log",
        "quakenet_q_20260301.log",
        "undernet/X/2026-03-01.log",
        "Q@CServe.log",
        "authserv.log",
        "libera/*status/2026-03-01.log",
        "_controlpanel_20260301.log",
    ] {
        let log = format!("{OPENED}10:00 <ada> identify hunter3x\n10:01 <ada> set pass hunter3y\n");
        let (site, run) = built(ALL, path, &log);
        assert!(!all(&site).contains("hunter3"), "{path}");
        assert!(run.stderr.contains("not shown: 2 private messages"), "{path}: {}", run.stderr);
    }
    for path in ["mr-x.log", "serena.log", "irc.libera.carol.weechatlog"] {
        let (site, _) = built(ALL, path, &format!("{OPENED}10:00 <ada> my pelargonium\n"));
        assert!(all(&site).contains("pelargonium"), "{path}");
    }
}

/// Lines in the log of the channel `#mill`, all with the word `hunter3x`. None is shown.
const HIDDEN: [&str; 35] = [
    // Notices of services.
    "10:02 -nickserv- your password is hunter3x",
    "10:02 -NICKSERV- your password is hunter3x",
    "10:02 -NickServ(NickServ@services)- password is hunter3x",
    "10:02 -saslserv(s@localhost)- password is hunter3x",
    "10:02 -chanserv:#mill- password is hunter3x",
    "10:02 -Q- password is hunter3x",
    "10:02 -X!cservice@undernet- password is hunter3x",
    "10:02 -*status- password is hunter3x",
    "Mar 01 10:02:00 -nickserv-\tpassword is hunter3x",
    "2026-03-01 10:02:00\t--\tNotice(nickserv): password is hunter3x",
    "2026-03-01 10:02:00\t--\tNotice(Q): password is hunter3x",
    // Services of a bouncer.
    "10:02 <*status> password is hunter3x",
    "2026-03-01 10:02:00\t*status\tpassword is hunter3x",
    // Notices to some people of the channel, or to others.
    "10:03 -ada:@#mill- ops only hunter3x",
    "10:03 -ada:+#mill- voices only hunter3x",
    "10:03 -ada:%#mill- ops only hunter3x",
    "10:03 -ada:&#mill- admins only hunter3x",
    "10:03 -ada:@+#mill- ops only hunter3x",
    "Mar 01 10:03:00 -ada/@#mill-\tops only hunter3x",
    "10:03 <ada:@#mill> ops only hunter3x",
    "10:03 -ada:bob- only you hunter3x",
    "10:03 -ada:#secretops- only there hunter3x",
    // Unknown lines.
    "10:04 --- unknown hunter3x",
    "10:04 -- unknown hunter3x",
    "10:04 --- unknown- hunter3x",
    "10:04 <-> unknown hunter3x",
    "10:05 Ada: she changes topic to hunter3x",
    "10:05 ada changed the topic to: hunter3x",
    "10:05 -!- Ada: she changes topic to 'hunter3x'",
    // Topics of other channels.
    "10:06 -!- Topic for #secretops: hunter3x",
    "Mar 01 10:06:00 *\tTopic for #secretops is: hunter3x",
    "10:06 -!- ada changed the topic of #secretops to: hunter3x",
    // Hosts.
    "Mar 01 10:07:00 *\tada (~w@hunter3x) invites bob",
    "10:07  * ada (~w@hunter3x), invites bob",
    "10:07  * ada!~w@hunter3x invites bob",
];

#[test]
fn unknown_and_restricted_lines_of_a_channel_are_counted_and_not_shown() {
    for row in HIDDEN {
        let log = format!("{OPENED}10:00 <ada> hello\n10:01 <bob> pelargonium\n{row}\n");
        let (site, run) = built(CHANNELS, "#mill.log", &log);
        let all = all(&site);
        assert!(all.contains("pelargonium"), "{row}: {}", run.stderr);
        assert!(!all.contains("hunter3x"), "{row}");
        let is_counted = run.stderr.contains("not shown: 1 ")
            || run.stderr.contains("1 record of unknown type `line`");
        assert!(is_counted, "{row}: {}", run.stderr);
    }
}

#[test]
fn other_lines_of_a_channel_are_shown() {
    for row in [
        "10:02 -ada- a notice of pelargonium",
        "10:02 -ada:#mill- a notice of pelargonium",
        "10:02 -ada:#Mill- a notice of pelargonium",
        "Mar 01 10:02:00 -ada/#mill-\ta notice - of pelargonium",
        "2026-03-01 10:02:00\t--\tNotice(ada): of pelargonium",
        "10:03 -!- Topic for #mill: pelargonium",
        "10:03 -!- Topic for #MILL: pelargonium",
        "10:03 -!- ada changed the topic of #mill to: see #gate for pelargonium",
        "10:03 -!- ada changed the topic to: see #gate for pelargonium",
        "10:03 *** ada changes topic to '#gate has a pelargonium'",
        "10:03 *** Topic is 'pelargonium'",
        "10:04  * ada (@bob) has a pelargonium",
        "10:04  * ada has a pelargonium (a@b is an address)",
    ] {
        let log = format!("{OPENED}10:00 <ada> hello\n10:01 <bob> hi\n{row}\n");
        let (site, run) = built(CHANNELS, "#mill.log", &log);
        assert!(all(&site).contains("pelargonium"), "{row}: {}", run.stderr);
    }
}
