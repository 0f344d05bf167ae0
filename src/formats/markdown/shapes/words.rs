//! Words before colons: the roles of people, and labels of plain texts.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::super::names;
use convo_base::model::assistant_names;

/// A role in a conversation between a person and an assistant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Asks,
    Answers,
    /// A system prompt, a tool.
    Beside,
}

/// Returns the role in a conversation with an assistant that a name stands for.
pub(super) fn part(name: &str) -> Option<Part> {
    static BESIDE_SET: LazyLock<HashSet<&str>> = LazyLock::new(|| words(BESIDE).collect());
    if assistant_names::is_user(name) {
        return Some(Part::Asks);
    }
    match assistant_names::assistant(name) {
        Some(_) => Some(Part::Answers),
        None => BESIDE_SET.contains(name.to_lowercase().as_str()).then_some(Part::Beside),
    }
}

fn words(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.split(',').map(str::trim)
}

const BESIDE: &str = "system, tool, developer, function, system prompt, tool result, tool call";

/// Returns whether a word refers to a person without a name: "Audience member", "Female voice".
pub(super) fn is_description(name: &str) -> bool {
    const NOUNS: &str = "speaker, member, voice, man, woman, guest, host, caller, reporter, \
        student, teacher, professor, moderator, listener, attendee, participant, audience, \
        interviewer, interviewee, narrator, announcer, all, both, everyone, chorus, crowd, \
        attorney, judge, witness, officer, doctor, nurse, patient, customer, client, mother, \
        father, child, boy, girl, questioner, commenter, translator, interpreter, \
        sprecher, sprecherin, stimme, gast, zuhörer, zuhörerin, publikum, alle, mann, frau, \
        voix, voz, voce, invité, invitée, public, público, pubblico, голос, гость, все, \
        ведущий, ведущая, зритель";
    static SET: LazyLock<HashSet<&str>> = LazyLock::new(|| words(NOUNS).collect());
    names::is_part(name) || name.to_lowercase().split(' ').any(|word| SET.contains(word))
}

/// Returns whether a word opens a phrase rather than a name: "One thing", "And then".
pub(super) fn opens_phrase(name: &str) -> bool {
    const WORDS: &str = "a, an, the, one, two, three, four, five, another, other, first, second, \
        third, last, next, final, quick, short, long, fun, good, bad, best, worst, my, your, our, \
        his, her, its, their, this, that, these, those, and, but, or, so, because, if, then, \
        when, where, what, why, how, who, which, in, on, at, for, from, to, with, without, by, \
        of, as, is, are, was, were, be, it, he, she, they, we, i, not, no, yes, all, some, any, \
        each, every, here, there, now, today, see, let, for example, der, die, das, ein, eine, \
        mein, und, aber, oder, wenn, was, wie, wer, le, la, les, un, une, mon, et, mais, ou, si, \
        el, los, las, una, mi, y, pero, o, il, lo, gli, e, ma, de, het, een, en, maar, а, и, но, \
        это, что, как";
    static SET: LazyLock<HashSet<&str>> = LazyLock::new(|| words(WORDS).collect());
    static SINGLE_SET: LazyLock<HashSet<&str>> = LazyLock::new(|| words(SINGLE).collect());
    let first = name.split_whitespace().next().unwrap_or_default().to_lowercase();
    if name.contains(' ') { SET.contains(&*first) } else { SINGLE_SET.contains(&*first) }
}

/// Words that open a sentence and may precede a colon.
const SINGLE: &str = "so, well, now, also, plus, anyway, then, thus, hence, still, and, but, or, \
    because, first, firstly, second, secondly, third, thirdly, finally, lastly, besides, \
    meanwhile, however, therefore, again, basically, remember, look, listen, see, imagine, \
    think, wait, true, nun, denn, daher, erstens, zweitens, drittens, kurz, kurzum, \
    nämlich, sprich, alors, bref, bon, donc, enfin, ensuite, d'abord, pues, bueno, entonces, \
    primero, segundo, luego, además, então, primeiro, depois, allora, quindi, ecco, dus, \
    ну, вот, итак, так, значит, во-первых, во-вторых, λοιπόν, 所以, 那么, 首先, 其次, 最后, \
    つまり, 例えば, 그래서, 첫째, 둘째";

/// Returns whether it labels the text after it, in texts without markup.
pub(super) fn is_label(name: &str) -> bool {
    let lower = name.to_lowercase();
    let plain = lower.trim_end_matches(|c: char| c.is_ascii_digit() || " #.-".contains(c));
    let option = plain
        .rsplit_once(' ')
        .is_some_and(|(before, last)| last.chars().count() == 1 && LABELS_SET.contains(before));
    names::is_label(name) || LABELS_SET.contains(plain) || option
}

static LABELS_SET: LazyLock<HashSet<&str>> =
    LazyLock::new(|| LABELS.iter().flat_map(|list| words(list)).collect());

const LABELS: [&str; 6] = [
    // Logs, tests, records.
    "info, warn, error, debug, trace, fatal, notice, critical, fail, failed, failure, failures, \
     pass, passed, ok, success, skipped, stdout, stderr, exit code, given, then, and, but, \
     do, don't, dos, don'ts, correct, incorrect, right, wrong, true, false, yes, no, good, bad, \
     invalid, valid, id, uuid, guid, uri, user-agent, accept, connection, content-type, \
     content-length, cache-control, cookie, set-cookie, authorization, origin, referer, etag, \
     server name, vary, allow, expires, last-modified, signed-off-by, co-authored-by, \
     reviewed-by, acked-by, tested-by, reported-by, closes, merge, commit, revision, branch, \
     depends, suggests, recommends, conflicts, provides, replaces, maintainer, section, \
     architecture, homepage, vcs-git, standards-version, metadata-version, requires-dist, \
     requires-python, classifier, project-url, summary, license-file, licensed, permission",
    // Changes.
    "bug fixes, bugfixes, breaking change, breaking changes, breaking, new features, \
     improvement, improvements, enhancement, enhancements, documentation, docs, chore, chores, \
     refactor, refactoring, style, ci, patch changes, minor changes, major changes, misc, \
     miscellaneous, internal, internals, thanks, what's changed, what's new, updates, updated, \
     reverted, reverts, unreleased, released, migration, migrating, polish, tooling, other, \
     others, other changes, general, core, optimizations, optimisation, release notes, \
     committers, tests and ci, build system, cleanup, cleanups",
    // Writing, teaching, cooking, playing.
    "verse, chorus, bridge, refrain, intro, outro, hook, pre-chorus, strophe, refrão, estribillo, \
     couplet, option, choice, case, scenario, variant, variants, method, approach, rule, rules, \
     level, stage, phase, round, question, answer, hint, moral, act, scene, setting, characters, \
     cast, dramatis personae, time limit, objective, objectives, materials, homework, assignment, \
     topic, topics, word, words, sentence, translation, literally, english, german, french, \
     spanish, italian, portuguese, russian, chinese, japanese, korean, arabic, latin, greek, \
     hebrew, dutch, plural, singular, noun, verb, adjective, adverb, for the sauce, for the dough, \
     toppings, garnish, marinade, sauce, dough, filling, method, makes, difficulty, cuisine, \
     storage, variations, optional extras, optional toppings, planet, moons, capital, population, \
     area, currency, continent, country, city, state, street, zip, dob, gender, sex, hobby, \
     strengths, weaknesses, opportunities, threats, hypothesis, variables, observation, \
     observations, data, analysis, discussion, evaluation, limit, limits, constraints, \
     complexity, assumptions, assumption, premise, claim, argument, counterargument, evidence, \
     thesis, main idea, key point, key points, takeaway, takeaways, lesson, lessons, fact, facts, \
     myth, reality, fun fact, quote, verdict, rating, score, genre, director, starring, plot, \
     release date, publisher, isbn, pages, edition, volume, issue, editor, translator",
    // Software.
    "signature, prototype, synopsis, inherits, implements, extends, throws, complexity, since, \
     todo, fixme, hack, xxx, bugs, files, diagnostics, invariants, invariant, safety, panics, \
     panic, errors, examples, constructor, constructors, properties, property, attribute, \
     attributes, fields, field, member, members, events, event, enum, enums, struct, structs, \
     trait, traits, macros, macro, interface, interfaces, callback, callbacks, variables, \
     environment variables, exports, imports, import, export, static methods, static, public, \
     private, protected, aliases, alias, precedence, associativity, grammar, tokens, token, \
     node, nodes, child, children, parent, parents, root, left, right, top, bottom, up, down, \
     start, end, begin, first, last, next, previous, minimum, maximum, mean, median, \
     average, count, sum, client, server, sender, receiver, request, response, ours, \
     theirs, local, remote, master, worker, main, base, head, debian, ubuntu, fedora, arch, \
     linux, macos, mac, windows, android, ios, freebsd, browser, browsers, node.js, deno, \
     npm, yarn, pnpm, cargo, pip, brew, homebrew, docker, rust, python, javascript, typescript, \
     golang, java, c++, c#, php, swift, kotlin, bash, shell, zsh, fish, sql, html, css, \
     json, yaml, toml, xml, csv, markdown",
    // Meetings and mail.
    "motion, seconded, vote, votes, resolved, present, in attendance, regrets, location, \
     where, when, who, discussion, item, follow-up, followup, follow up, update, announcements, \
     old business, new business, adjournment, quorum, chair, secretary, minutes, sent, received, \
     reply-to, message-id, in-reply-to, mime-version, x-mailer, delivered-to, return-path, \
     list-id, on behalf of, dear, sincerely, regards, tel, mobile, cell, home, work, office, \
     website, web, twitter, github, linkedin, facebook, instagram, mastodon, youtube",
    // Other languages.
    "kapitel, abschnitt, aufgabe, frage, antwort, für die soße, für den teig, dauer, zeit, menge, \
     merke, fazit, regel, fall, stufe, chapitre, exercice, règle, durée, morale, capítulo, \
     ejercicio, regla, duración, capitolo, esercizio, regola, durata, глава, правило, задача, \
     вывод, 章, 规则, 結論, 结论, まとめ, 결론",
];

/// Returns whether a name is the role of a person or of an assistant: "User", "Claude".
pub(in crate::markdown) fn is_part(name: &str) -> bool {
    part(name).is_some()
}

/// Returns whether a name is a label and not a role.
pub(in crate::markdown) fn is_only_label(name: &str) -> bool {
    names::is_label(name)
        && !names::is_pause(name)
        && !names::is_question(name)
        && !is_description(name)
        && part(name).is_none()
}

/// Removes the suffix that pages of assistants add to names: `Gemini said`.
pub(in crate::markdown) fn without_verb(name: &mut String) {
    if part(name).is_some()
        && let Some(bare) = name_before_verb(name)
    {
        *name = bare.to_owned();
    }
}

/// Returns a name without the suffix that pages of assistants add.
pub(super) fn name_before_verb(name: &str) -> Option<&str> {
    [" said", " responded"].iter().find_map(|word| name.strip_suffix(word))
}
