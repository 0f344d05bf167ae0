//! Prompts of Google AI Studio, which are files without an extension in Google Drive.
//!
//! ```text
//! {"runSettings": {"model": "models/gemini-2.5-pro", …}, "systemInstruction": {"text": …},
//!  "chunkedPrompt": {"chunks": [{"role": "user", "text": "Hello"}, {"role": "model", "text": …, "isThought": true}, …],
//!                    "pendingInputs": […]}}
//! ```
//!
//! `text` repeats the contents of `parts`. `pendingInputs` contains unsent input.

use super::{About, Bundle, Claim, File, Format, Listing, Parsed, Probe, Read, opens_json};
use crate::shared::access::visibility;
use crate::shared::agents::gemini_parts::{self, Part};
use crate::shared::agents::turns::{Message, Turns, USER, missing};
use crate::shared::json::object::{Object, as_object, document, text};
use crate::shared::tally::{EMPTY, ORPHANS, Tally};
use convo_base::diag::{Counted, Lines, Note};
use convo_base::json::{self, Map, Value};
use convo_base::model::{
    Action, Attachment, AttachmentKind, Block, Citation, Content, Conversation, Kind, Place,
    ToolCall, Usage,
};
use convo_base::text::percent_encode;

pub(super) const FORMAT: Format = Format {
    name: "ai-studio",
    title: "AI Studio prompt",
    source_label: "Google AI Studio",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Prompts of Google AI Studio.",
        find: "Download them from the folder `Google AI Studio` of Google Drive. The files have no extension, or `.json`.",
        reads: "Prompts, answers, reasoning, code that was run and its output, pictures and files inside the prompt, sources, errors, and the token usage of each answer.",
        leaves_out: "Unsent input, and system instructions unless `show_system = true`. Of files in Google Drive only the names.",
    },
    read: Some(Read::new(claims, parse).gather(gather)),
    write: None,
};

/// The name of the assistant.
const GEMINI: &str = "Gemini";
/// The key of the messages.
const PROMPT: &str = "chunkedPrompt";
const CHUNKS: &str = "chunks";

/// Messages that were not sent.
const DRAFTS: Counted = Counted::not_shown("unsent message", "unsent messages");

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    if !opens_json(text) || text.trim_start().starts_with('[') {
        return Claim::No;
    }
    let keys = probe.keys();
    let prompt = keys.iter().find(|(key, _)| *key == PROMPT).map(|(_, value)| *value);
    let Some(prompt) = prompt.filter(|prompt| prompt.starts_with('{')) else {
        return Claim::No;
    };
    let inside = json::keys(prompt);
    let chunks = inside.iter().find(|(key, _)| *key == CHUNKS).map(|(_, value)| *value);
    let has_role = chunks.is_some_and(|chunks| {
        chunks.starts_with('[') && json::keys(chunks).iter().any(|(key, _)| *key == "role")
    });
    let is_set = keys.iter().any(|(key, _)| *key == "runSettings");
    match has_role || chunks.is_some() && is_set {
        true => Claim::Signature,
        false => Claim::No,
    }
}

/// The number of bytes that are examined to detect a prompt.
const HEAD_BYTES: usize = 16 << 10;

/// Finds prompts without a file extension, by their first bytes.
fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let is_prompt = |name: &str| {
        let head = (listing.head)(name, HEAD_BYTES).unwrap_or_default();
        let head = head.trim_start_matches('\u{feff}');
        if !opens_json(head) {
            return false;
        }
        let keys = json::keys(head);
        let has = |key: &str| keys.iter().any(|(known, _)| *known == key);
        // The system instruction may be longer than the examined bytes.
        has(PROMPT) || has("runSettings") && has("systemInstruction")
    };
    let names = listing.names.iter().filter(|name| has_no_ending(name) && is_prompt(name));
    let bundle = |name: &&str| Bundle {
        folder: String::new(),
        files: vec![(*name).to_owned()],
        aside: Vec::new(),
        shared: Vec::new(),
        private: None,
        neighbours: None,
    };
    names.map(bundle).collect()
}

/// Returns whether a name has no dot, or the text after its last dot is not an extension.
fn has_no_ending(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let Some((stem, extension)) = name.rsplit_once('.') else { return !name.is_empty() };
    let is_extension = (1..=10).contains(&extension.len())
        && extension.chars().all(|c| c.is_ascii_alphanumeric())
        && extension.chars().any(|c| c.is_ascii_alphabetic());
    !stem.is_empty() && !is_extension
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let mut tally = Tally::default();
        let notes = &mut parsed.notes;
        let start = file.text.len() - file.text.trim_start().len();
        let value = document(&file.text, start..file.text.len(), index, notes);
        if let Some(Value::Object(map)) = value {
            let object = Object::new(map, &file.text, index, start..file.text.len());
            parsed.conversations.extend(prompt(object, file, &mut tally, notes));
        }
        parsed.notes.extend(tally.notes().map(|note| note.in_file(index)));
    }
    parsed
}

/// Reads a prompt.
fn prompt(
    mut object: Object<'_>,
    file: &File,
    tally: &mut Tally,
    notes: &mut Vec<Note>,
) -> Option<Conversation> {
    let index = object.file();
    let lines = Lines::new(&file.text);
    let private = object.holds_back("private", &[PROMPT], notes);
    let mut read = Conversation { private, ..Conversation::default() };
    let titles = ["displayName", "title", "promptTitle"];
    let titles = titles.iter().filter_map(|key| object.text(key, notes));
    let titles: Vec<String> = titles.filter(|title| !title.trim().is_empty()).collect();
    // In Google Drive, the file name is the title of the prompt.
    let name = file.name.rsplit('/').next().unwrap_or_default();
    let named = Some(name).filter(|name| has_no_ending(name) && *name != "input");
    read.title = titles.into_iter().next().or_else(|| named.map(str::to_owned));
    read.id = object.text("id", notes);
    read.time = object.time("createTime", notes);
    read.updated = object.time("updateTime", notes);
    let settings = object.object("runSettings", notes).unwrap_or_default();
    let model = text(&settings, "model");
    let model = model.map(|model| model.strip_prefix("models/").unwrap_or(model).to_owned());
    let mut studio = Studio { turns: Turns::default(), tally, model };
    if let Some(instruction) = object.take("systemInstruction") {
        let blocks = vec![Block::Markdown { text: instruction_text(&instruction) }];
        let place = Place { file: index, line: 1, quoted: true };
        let message = Message { blocks, place, ..Message::default() };
        studio.turns.add("System", Kind::System, message);
    }
    let at = object.place(&[json::Step::Key(PROMPT)]);
    let inside = object.object(PROMPT, notes).unwrap_or_default();
    let mut inside = object.at(inside, at).named(PROMPT);
    let held_back = inside.holds_back("private", &[CHUNKS, "pendingInputs"], notes);
    read.private |= held_back;
    let mut marked = Vec::new();
    let chunks = inside.array(CHUNKS, notes).unwrap_or_default();
    for (number, (chunk, at)) in chunks.into_iter().enumerate() {
        let place = Place { file: index, line: lines.line(at.start), quoted: true };
        let Some(map) = as_object(chunk, "chunk", &at, index, notes) else { continue };
        let chunk = inside.at(map, at).named(format!("{CHUNKS}.{number}"));
        match chunk.is_withheld(notes) {
            true => marked.push(chunk.start()),
            false => studio.chunk(chunk, place, notes),
        }
    }
    let drafts = inside.take("pendingInputs");
    let drafts = drafts.as_ref().and_then(Value::as_array).into_iter().flatten();
    let has_content = |draft: &&Value| draft.as_object().is_some_and(|draft| !draft.is_empty());
    studio.tally.add_all(DRAFTS, drafts.filter(has_content).count() as u64);
    if let Some(first) = marked.first() {
        notes.push(visibility::withheld_turns_note(marked.len(), first.clone()).in_file(index));
    }
    studio.tally.add_all(ORPHANS, studio.turns.orphans());
    studio.turns.fill(&mut read);
    read.time = read.time.or_else(|| read.turns.iter().find_map(|turn| turn.time.clone()));
    if read.turns.iter().all(|turn| turn.withheld) {
        tally.add(EMPTY);
        return None;
    }
    read.unpublished = object.rest();
    Some(read)
}

fn instruction_text(instruction: &Value) -> String {
    match instruction {
        Value::String(text) => text.clone(),
        Value::Object(map) => text(map, "text").map_or_else(
            || map.get("parts").map(instruction_text).unwrap_or_default(),
            str::to_owned,
        ),
        Value::Array(list) => list.iter().map(instruction_text).collect::<Vec<_>>().join("\n\n"),
        _ => String::new(),
    }
}

/// A prompt that is being read.
struct Studio<'t> {
    turns: Turns,
    tally: &'t mut Tally,
    model: Option<String>,
}

/// Keys of files in Google Drive, and their kinds.
const DRIVE: [(&str, AttachmentKind); 4] = [
    ("driveDocument", AttachmentKind::File),
    ("driveImage", AttachmentKind::Image),
    ("driveVideo", AttachmentKind::Video),
    ("driveAudio", AttachmentKind::Audio),
];

impl Studio<'_> {
    fn chunk(&mut self, mut chunk: Object<'_>, place: Place, notes: &mut Vec<Note>) {
        let id = chunk.text("id", notes);
        let time = chunk.time("createTime", notes);
        let role = chunk.text("role", notes).unwrap_or_default();
        let is_thought = chunk.flag("isThought", notes).unwrap_or_default();
        let tokens = chunk.take("tokenCount").and_then(|count| count.as_u64());
        let (mut blocks, mut results) = (Vec::new(), Vec::new());
        if let Some(words) = chunk.text("text", notes) {
            chunk.put("text", words.into());
        }
        let map = chunk.rest();
        self.words(&map, is_thought, &mut blocks, &mut results);
        self.files(&map, &mut blocks);
        for key in ["executableCode", "codeExecutionResult", "functionCall", "functionResponse"] {
            if let Some(value) = map.get(key).filter(|_| !has_part(&map, key)) {
                let part = Map::from_iter([(key.to_owned(), value.clone())]);
                self.part(&part.into(), &mut blocks, &mut results);
            }
        }
        blocks.extend(
            map.get("grounding").and_then(Value::as_object).into_iter().flat_map(grounding),
        );
        let error = text(&map, "errorMessage").map(|error| {
            let message = Message { time: time.clone(), place, ..Message::default() };
            (error.to_owned(), message)
        });
        let mut message = Message { id, time, blocks, place, ..Message::default() };
        let (speaker, kind) = match role.as_str() {
            "user" => (USER, Kind::Person),
            "system" => ("System", Kind::System),
            _ => (GEMINI, Kind::Assistant),
        };
        if kind == Kind::Assistant {
            message.usage = Usage {
                model: self.model.clone(),
                output_tokens: tokens,
                reasoning_tokens: tokens.filter(|_| is_thought),
                ..Usage::default()
            };
        }
        self.turns.add(speaker, kind, message);
        if let Some((error, message)) = error {
            self.turns.event_without_speaker("error", &error, None, message);
        }
        for result in results {
            let Part::Result { id, name, result } = result else { continue };
            self.turns.result(gemini_parts::answers(&id, &name), *result);
        }
    }

    /// Reads the text of a chunk, and the parts that contain more.
    fn words(
        &mut self,
        map: &Map,
        is_thought: bool,
        blocks: &mut Vec<Block>,
        results: &mut Vec<Part>,
    ) {
        let own = text(map, "text");
        let parts = map.get("parts").and_then(Value::as_array);
        let all: String =
            parts.into_iter().flatten().filter_map(|part| part.get("text")?.as_str()).collect();
        // Parts distinguish thoughts from text.
        let are_parts_whole = !all.is_empty() && own.is_none_or(|own| own == all);
        if let Some(own) = own.filter(|_| !are_parts_whole) {
            let text = own.to_owned();
            blocks.push(match is_thought {
                true => Block::Thinking { text },
                false => Block::Markdown { text },
            });
        }
        for part in parts.into_iter().flatten() {
            let is_text = part.get("text").is_some();
            if is_text && !are_parts_whole {
                continue;
            }
            let first = blocks.len();
            self.part(part, blocks, results);
            join(blocks, first, is_thought);
        }
    }

    fn part(&mut self, part: &Value, blocks: &mut Vec<Block>, results: &mut Vec<Part>) {
        match gemini_parts::part(part) {
            Part::Block(block) => blocks.push(block),
            result @ Part::Result { .. } => results.push(result),
            Part::MissingFile(block) => {
                self.tally.missing_file();
                blocks.push(block);
            }
            Part::Unknown(name) => {
                self.tally.unknown(&name);
                blocks.push(Block::Unknown { name, value: Value::Null });
            }
            Part::Nothing => {}
        }
    }

    /// Reads the attachments of a chunk.
    fn files(&mut self, map: &Map, blocks: &mut Vec<Block>) {
        for (key, kind) in DRIVE {
            if let Some(file) = map.get(key).and_then(Value::as_object) {
                self.tally.missing_file();
                let name = text(file, "name").unwrap_or("file in Google Drive");
                blocks.push(missing(name, kind));
            }
        }
        for key in ["inlineFile", "inlineImage", "inlineData", "inlineAudio", "inlineVideo"] {
            if let Some(data) =
                map.get(key).and_then(Value::as_object).filter(|_| !has_part(map, key))
            {
                match gemini_parts::inline(data) {
                    Part::Block(block) => blocks.push(block),
                    Part::MissingFile(block) => {
                        self.tally.missing_file();
                        blocks.push(block);
                    }
                    _ => {}
                }
            }
        }
        let video = map.get("youtubeVideo").and_then(|video| video.get("id")?.as_str());
        if let Some(id) = video {
            let content =
                Content::Uri(format!("https://www.youtube.com/watch?v={}", percent_encode(id)));
            let link = Attachment { content, ..Attachment::new("YouTube", AttachmentKind::Link) };
            blocks.push(Block::Attachment(Box::new(link)));
        }
    }
}

/// Returns whether a key of a chunk is repeated in its parts.
fn has_part(map: &Map, key: &str) -> bool {
    let parts = map.get("parts").and_then(Value::as_array);
    parts.into_iter().flatten().any(|part| part.get(key).is_some())
}

/// Joins text from several parts; thoughts become a single thought.
fn join(blocks: &mut Vec<Block>, first: usize, is_thought: bool) {
    let Some(Block::Markdown { text } | Block::Thinking { text }) = blocks.get_mut(first) else {
        return;
    };
    let joined = std::mem::take(text);
    let is_thought = is_thought || matches!(blocks.get(first), Some(Block::Thinking { .. }));
    blocks.truncate(first);
    match (blocks.last_mut(), is_thought) {
        (Some(Block::Thinking { text }), true) | (Some(Block::Markdown { text }), false) => {
            text.push_str(&joined);
        }
        (_, true) => blocks.push(Block::Thinking { text: joined }),
        (_, false) => blocks.push(Block::Markdown { text: joined }),
    }
}

/// Reads the sources of an answer.
fn grounding(grounding: &Map) -> Vec<Block> {
    let list = |key: &str| grounding.get(key).and_then(Value::as_array).into_iter().flatten();
    let queries: Vec<&str> = list("webSearchQueries").filter_map(Value::as_str).collect();
    let page = |page: &Value| {
        let page = page.get("web").unwrap_or(page).as_object()?;
        let get = |key: &str| text(page, key).map(str::to_owned);
        let url = get("uri").or_else(|| get("url"));
        let found = Citation { title: get("title"), url };
        (found.title.is_some() || found.url.is_some()).then_some(found)
    };
    let pages = list("groundingSources").chain(list("groundingChunks"));
    let citations: Vec<Citation> = pages.filter_map(page).collect();
    let mut blocks = Vec::new();
    if !queries.is_empty() {
        let query = Some(queries.join("\n"));
        blocks.push(Block::Tool(Box::new(ToolCall {
            name: "google_search".to_owned(),
            action: Some(Action::Search { query, results: Vec::new() }),
            ..ToolCall::default()
        })));
    }
    if !citations.is_empty() {
        blocks.push(Block::Citations { citations });
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::has_no_ending;

    #[test]
    fn names_of_prompts_have_no_ending() {
        for name in ["Moss", "a/The well, part 2.", "Draft v2.5", "Mr. Heron"] {
            assert!(has_no_ending(name), "{name}");
        }
        for name in ["a.md", "Moss.json", ".gitignore", "x/y.tar.gz"] {
            assert!(!has_no_ending(name), "{name}");
        }
    }
}
