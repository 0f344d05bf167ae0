//! Tests of the rules that the builder applies to every format.

use super::{At, BranchStart, Message, To, Turns, Who, agent_name};
use convo_base::json::Value;
use convo_base::model::{
    Action, Attachment, AttachmentKind, Block, Conversation, Kind, ToolCall, ToolResult, Usage,
};

fn call(id: &str, name: &str) -> ToolCall {
    ToolCall { id: id.to_owned(), name: name.to_owned(), ..ToolCall::default() }
}

fn result(text: &str) -> ToolResult {
    ToolResult { output: Some(text.into()), ..ToolResult::default() }
}

fn built(build: impl FnOnce(&mut Turns)) -> Conversation {
    let mut turns = Turns::new(0, "Agent");
    turns.turn(Who::Assistant, At::default());
    build(&mut turns);
    let mut read = Conversation::default();
    turns.fill(&mut read);
    read
}

/// Lists calls as `name: output, output`.
fn calls(read: &Conversation) -> Vec<String> {
    let blocks = read.all_turns().flat_map(|turn| &turn.blocks);
    let calls = blocks.filter_map(|block| match block {
        Block::Tool(call) => Some(call),
        _ => None,
    });
    calls
        .map(|call| {
            let outputs = call.results.iter().map(|result| result.output.as_ref());
            let outputs = outputs.map(|output| output.and_then(Value::as_str).unwrap_or("-"));
            format!("{}: {}", call.name, outputs.collect::<Vec<_>>().join(", "))
        })
        .collect()
}

#[test]
fn results_find_their_calls_by_id_by_tool_and_by_order() {
    let by_id = built(|turns| {
        turns.call(call("1", "read"));
        turns.call(call("2", "read"));
        assert!(turns.result("2", result("two")));
        assert!(turns.result(To::Call { id: "1", name: "other" }, result("one")));
        assert!(turns.result("1", result("more")));
    });
    assert_eq!(calls(&by_id), ["read: one, more", "read: two"]);
    let by_tool = built(|turns| {
        turns.call(call("", "read"));
        turns.call(call("", "write"));
        turns.call(call("", "read"));
        assert!(turns.result("write", result("w")));
        assert!(turns.result(To::Call { id: "", name: "read" }, result("r1")));
        assert!(turns.result("read", result("r2")));
        assert!(!turns.result("read", result("r3")));
    });
    assert_eq!(calls(&by_tool), ["read: r1", "write: w", "read: r2"]);
    let by_order = built(|turns| {
        turns.call(call("", "read"));
        turns.call(call("", "write"));
        assert!(turns.result(To::Call { id: "", name: "" }, result("1")));
        assert!(!turns.result(To::Call { id: "x", name: "" }, result("of another call")));
        assert!(!turns.result(To::Call { id: "x", name: "write" }, result("of another call")));
        assert!(turns.result(To::Call { id: "", name: "" }, result("2")));
    });
    assert_eq!(calls(&by_order), ["read: 1", "write: 2"]);
}

#[test]
fn a_result_that_names_the_tool_of_another_server_stays_alone() {
    let to = To::Call { id: "1", name: "mcp__garden__water" };
    let late = built(|turns| {
        turns.call(call("1", "read"));
        assert!(turns.result(to, result("wet")));
        assert!(turns.result("1", result("text")));
    });
    assert_eq!(calls(&late), ["read: text", "mcp__garden__water: wet"]);
    let early = built(|turns| {
        turns.turn(Who::Assistant, At::default());
        assert!(!turns.result(to, result("wet")));
        turns.call(call("1", "read"));
    });
    assert_eq!(calls(&early), ["read: ", "mcp__garden__water: wet"]);
    let shown = built(|turns| {
        let results = vec![result("wet")];
        turns.add_results(ToolCall { results, ..call("1", "mcp__garden__water") }, &At::default());
        turns.call(call("1", "read"));
    });
    assert_eq!(calls(&shown), ["mcp__garden__water: wet", "read: "]);
}

#[test]
fn a_result_may_come_before_its_call_and_one_without_a_call_is_counted() {
    let early = built(|turns| {
        assert!(!turns.result("1", result("early")));
        assert!(!turns.result("nowhere", result("lost")));
        turns.call(call("1", "read"));
        assert_eq!(turns.orphans(), 1);
    });
    assert_eq!(calls(&early), ["read: early"]);
    let shown = built(|turns| {
        turns.add_results(
            ToolCall { results: vec![result("early")], ..call("1", "") },
            &At::default(),
        );
        turns.call(ToolCall { input: Some("x".into()), ..call("1", "read") });
        turns.say("Done.");
    });
    assert_eq!(calls(&shown), ["read: early"]);
}

#[test]
fn an_exit_code_shows_that_a_command_failed() {
    let read = built(|turns| {
        let command = Action::Command { command: "false".to_owned(), exit_code: None };
        turns.call(ToolCall { action: Some(command), ..call("1", "shell") });
        let outcome = super::Outcome { result: result(""), exit_code: Some(1) };
        turns.result("1", outcome);
    });
    let Block::Tool(call) = &read.turns[0].blocks[0] else { panic!("a call") };
    assert_eq!(call.results[0].state, "failed");
}

#[test]
fn an_assistant_that_continues_has_one_turn_with_the_sum_of_its_usage() {
    let read = built(|turns| {
        let usage = |tokens| Usage {
            model: Some("m-1".to_owned()),
            output_tokens: Some(tokens),
            ..Usage::default()
        };
        turns.say("One.");
        turns.add_usage(&usage(1));
        // Still the same speaker.
        turns.turn(Who::Person, At::default());
        turns.add("Agent", Kind::Assistant, Message { usage: usage(2), ..Message::default() });
        turns.say("Two.");
        turns.turn(Who::Person, At::default());
        turns.say("And?");
        turns.turn(Who::Assistant, At::default());
        turns.say("Three.");
    });
    let texts: Vec<String> = read.turns.iter().map(|turn| turn.text()).collect();
    assert_eq!(texts.len(), 3, "{texts:?}");
    assert_eq!(read.turns[0].usage.as_ref().and_then(|usage| usage.output_tokens), Some(3));
    assert_eq!(read.participant("Agent").and_then(|who| who.model.as_deref()), Some("m-1"));
    assert!(read.participant("User").is_some());
}

#[test]
fn words_for_models_and_colours_are_not_shown() {
    let read = built(|turns| {
        turns.say("<system-reminder>be brief</system-reminder>");
        turns.say("Hi. <system-reminder>be brief</system-reminder>");
        turns.call(call("1", "shell"));
        let output = serde_json::json!([{"text": "\u{1b}[31mred<system-reminder>x"}]);
        turns.result("1", ToolResult { output: Some(output), ..ToolResult::default() });
    });
    let [Block::Markdown { text }, Block::Tool(call)] = read.turns[0].blocks.as_slice() else {
        panic!("a text and a call: {:?}", read.turns);
    };
    assert_eq!(text, "Hi.");
    assert_eq!(call.results[0].output, Some(serde_json::json!([{"text": "red"}])));
}

#[test]
fn ways_follow_turns_and_calls() {
    let read = built(|turns| {
        turns.call(call("1", "agent"));
        let end = turns.end().expect("a turn");
        let inside =
            turns.branch(BranchStart { call: Some("1".to_owned()), ..BranchStart::default() });
        let beside =
            turns.branch(BranchStart { after: Some(end), rejoins: true, ..BranchStart::default() });
        let lost =
            turns.branch(BranchStart { call: Some("2".to_owned()), ..BranchStart::default() });
        turns.branch(BranchStart::default());
        for (way, text) in [(inside, "inside"), (beside, "beside"), (lost, "lost")] {
            turns.on(way);
            turns.turn(Who::Assistant, At::default());
            turns.say(text);
        }
        // The result of a call on the main path is added to its call.
        assert!(turns.result("1", result("done")));
    });
    assert_eq!(calls(&read), ["agent: done"]);
    let first = Some(read.turns[0].id.clone());
    let mark = Some(read.turns[1].id.clone());
    let ways = read.branches.iter().map(|way| (way.after.clone(), way.started_by.as_deref()));
    assert_eq!(ways.collect::<Vec<_>>(), [(first.clone(), Some("1")), (first, None), (mark, None)]);
    assert!(read.branches[1].rejoins);
}

#[test]
fn an_assistant_continues_in_one_turn_until_it_is_ended() {
    let read = built(|turns| {
        turns.say("One.");
        turns.turn(Who::Assistant, At::default());
        turns.say("Two.");
        turns.end_turn();
        turns.turn(Who::Assistant, At::default());
        turns.say(" ");
        turns.turn(Who::Assistant, At::default());
        turns.say("Three.");
        turns.turn(Who::Assistant, At::default());
        turns.say("Four.");
    });
    let counts: Vec<usize> = read.turns.iter().map(|turn| turn.blocks.len()).collect();
    assert_eq!(counts, [2, 2]);
}

#[test]
fn files_and_usage_are_added_to_the_turn_that_they_belong_to() {
    let read = built(|turns| {
        turns.call(call("1", "draw"));
        let first = turns.end().expect("a turn");
        turns.turn(Who::Person, At::default());
        turns.say("And now?");
        turns.push_beside("1", Attachment::new("a.png", AttachmentKind::Image));
        turns.push_beside("2", Attachment::new("b.png", AttachmentKind::Image));
        let usage = Usage { model: Some("m".to_owned()), ..Usage::default() };
        turns.add_usage_at(first, &usage);
    });
    let [Block::Tool(_), Block::Attachment(file)] = read.turns[0].blocks.as_slice() else {
        panic!("a call and a file: {:?}", read.turns);
    };
    assert_eq!((file.name.as_str(), file.call.as_deref()), ("a.png", Some("1")));
    assert_eq!((read.turns[1].blocks.len(), &read.turns[1].usage), (1, &None));
    let agent = read.participants.iter().find(|who| who.name == "Agent").expect("the agent");
    assert_eq!(agent.model.as_deref(), Some("m"));
}

#[test]
fn other_agents_do_not_have_the_names_of_speakers() {
    for (name, shown) in [
        ("Scout", "Scout"),
        (" ", "Agent"),
        ("codex", "codex (agent)"),
        (" U s e r ", "U s e r (agent)"),
        ("[Sub-agent]", "[Sub-agent] (agent)"),
    ] {
        assert_eq!(agent_name(name, "Codex"), shown);
    }
}
