//! The bulk export of Mattermost: JSON lines, one file for all teams.
//!
//! ```text
//! {"type":"version","version":1}
//! {"type":"channel","channel":{"team":"mill","name":"quay","display_name":"Quay","type":"O"}}
//! {"type":"user","user":{"username":"wren","nickname":"Wren"}}
//! {"type":"post","post":{"team":"mill","channel":"quay","user":"wren","message":"**Hello**",
//!   "create_at":1772647205000,"reactions":[],"replies":[{"user":"tomas","message":"Hm.",…}],
//!   "attachments":[{"path":"data/boat.png"}]}}
//! {"type":"direct_post","direct_post":{"channel_members":["tomas","wren"],"user":"wren",…}}
//! ```
//!
//! Messages have no ids; time and author identify them.

mod export;
mod post;
mod text;

use self::export::Export;
use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::people::channel::each;
use convo_base::json;

pub(super) const FORMAT: Format = Format {
    name: "mattermost",
    title: "Mattermost export",
    source_label: "Mattermost",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "The bulk export of a Mattermost server.",
        find: "On the server: `mmctl export create`, then `mmctl export download`. Put the ZIP, \
               or its `.jsonl` with the folder `data` beside it, into the content folder.",
        reads: "Every channel: Markdown, mentions by name, threads below the message that started \
                them, reactions, edits, files, messages of bots, and who joined. Each day is a \
                conversation unless `split` of the `[[source]]` says otherwise.",
        leaves_out: "Accounts, e-mail addresses, roles and settings. Withheld until a \
                     `[[source]]` sets `visibility = \"public\"`; private channels and direct \
                     messages also need `direct_messages = true`.",
    },
    read: Some(Read::new(claims, parse)),
    write: None,
};

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let kind = |line: &str| {
        let keys = json::keys(line);
        let kind = keys.iter().find(|(key, _)| *key == "type")?.1.trim_matches('"').to_owned();
        // The data of a line is under a key named after its type.
        keys.iter().any(|(key, _)| *key == kind).then_some(kind)
    };
    let is_version = lines.next().and_then(kind).as_deref() == Some("version");
    match is_version && lines.next().is_some_and(|line| kind(line).is_some()) {
        true => Claim::Signature,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let mut export = Export::default();
    for (index, file) in files.iter().enumerate() {
        each(file, index, &[], &mut parsed.notes, &mut |object, place, notes| {
            export.line(object, place, notes);
        });
    }
    export.finish(&mut parsed);
    parsed
}
