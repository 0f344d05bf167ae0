//! Files of an export that conversations refer to: pictures, recordings and attachments.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::super::{Assets, Listing};
use super::message::{list, text, words};
use crate::shared::text::attachment_kind::kind_of;
use convo_base::json::{self, Map, Value};
use convo_base::model::{Attachment, AttachmentKind, Content};
use convo_base::text::base_name;

/// Returns the URL and the id of the file that a pointer such as `file-service://file-AbC` or
/// `sediment://file_00…#p_1` refers to.
fn address(pointer: &str) -> Option<(String, &str)> {
    let path = pointer.split_once("://").map_or(pointer, |(_, path)| path);
    let parts = path.split(['/', '#', '?']);
    let id = parts.filter_map(id_of).next()?;
    Some((format!("{}{id}", Assets::SCHEME), id))
}

/// Returns the id at the start of a file name.
fn id_of(name: &str) -> Option<&str> {
    let rest = name.strip_prefix("file").filter(|rest| rest.starts_with(['-', '_']))?;
    let length = rest[1..].find(|c: char| !c.is_ascii_alphanumeric());
    let end = length.unwrap_or(rest.len() - 1);
    (end > 0).then(|| &name[.."file-".len() + end])
}

/// Returns the URL of a file made in the sandbox of ChatGPT. Few exports contain such files.
pub(super) fn sandbox_file(conversation: &str, message: &str, path: &str) -> Attachment {
    let name = path.rsplit('/').next().unwrap_or(path).to_owned();
    let keys = keys(conversation, message, &name).join("|");
    Attachment {
        content: Content::Uri(format!("{}{keys}", Assets::OPTIONAL)),
        ..Attachment::new(name, AttachmentKind::File)
    }
}

/// Returns the attachment for a pointer. `named` are the files that the message lists.
pub(super) fn pointed(
    pointer: &str,
    name: Option<&str>,
    kind: AttachmentKind,
    named: &[Value],
) -> Attachment {
    let found = address(pointer);
    let named = found.as_ref().and_then(|(_, id)| {
        named.iter().filter_map(Value::as_object).find(|file| text(file, "id") == Some(id))
    });
    let own = || named.and_then(|file| words(file, "name")).map(base_name);
    let name = name.or_else(own);
    Attachment {
        mime: named.and_then(mime),
        content: found.map_or(Content::Missing, |(uri, _)| Content::Uri(uri)),
        ..Attachment::new(name.unwrap_or_default(), kind)
    }
}

fn mime(file: &Map) -> Option<String> {
    let mime = ["mime_type", "mimeType"].iter().find_map(|key| words(file, key));
    mime.map(str::to_owned)
}

/// Returns the attachment and the id for an entry in a message's list of files.
pub(super) fn handed_over(file: &Map) -> Option<(Attachment, &str)> {
    let (uri, id) = text(file, "id").and_then(address)?;
    let mime = mime(file);
    let name = words(file, "name").map_or(id, base_name).to_owned();
    let kind = kind_of(&name, mime.as_deref());
    Some((Attachment { mime, content: Content::Uri(uri), ..Attachment::new(name, kind) }, id))
}

/// Returns the id of an attachment's file.
pub(super) fn id(attachment: &Attachment) -> Option<&str> {
    match &attachment.content {
        Content::Uri(uri) => uri.strip_prefix(Assets::SCHEME),
        _ => None,
    }
}

/// The file that lists the names of files made by ChatGPT.
const LIBRARY: &str = "library_files.json";
/// The file that lists the original names of files.
const NAMES: &str = "conversation_asset_file_names.json";
/// The length from which a matching id is not a coincidence.
const SURE_ID: usize = 20;

/// Returns the assets of each folder that contains an export.
pub(super) fn find(listing: &Listing<'_>) -> Vec<Assets> {
    let folder = |name: &str| name.rfind('/').map_or(0, |at| at + 1);
    let mut folders: BTreeMap<&str, Assets> = BTreeMap::new();
    for name in listing.names {
        let (path, file) = name.split_at(folder(name));
        if is_conversations(file) {
            let assets = || Assets { folder: path.to_owned(), ..Assets::default() };
            folders.entry(path).or_insert_with(assets);
        }
    }
    for name in listing.names {
        let at = folder(name);
        let Some(id) = id_of(&name[at..]) else { continue };
        // An export may be in a folder of another one.
        let ends = name[..at].match_indices('/').map(|(end, _)| end + 1).rev().chain([0]);
        let above = ends.map(|end| &name[..end]).find(|path| folders.contains_key(path));
        let Some(assets) = above.and_then(|path| folders.get_mut(path)) else { continue };
        assets.files.entry(id.to_owned()).or_insert_with(|| (*name).to_owned());
        if let Some(own) = own_name(&name[at + id.len()..]) {
            assets.names.entry(id.to_owned()).or_insert_with(|| own.to_owned());
        }
        if id.len() >= SURE_ID {
            assets.owned.push((*name).to_owned());
        }
    }
    for assets in folders.values_mut() {
        let file = |name: &str| {
            let path = format!("{}{name}", assets.folder);
            let text = listing.names.binary_search(&path.as_str()).is_ok();
            json::parse(&text.then(|| (listing.text)(&path)).flatten()?).ok()
        };
        let (library, names) = (file(LIBRARY), file(NAMES));
        if let Some((Value::Object(names), _)) = names {
            add_names(assets, &names, listing);
        }
        if let Some((library, _)) = library {
            add_library(assets, &library);
        }
    }
    folders.into_values().collect()
}

/// Returns the original name of a file, which follows its id. If the name was unknown, a second id follows.
fn own_name(rest: &str) -> Option<&str> {
    let name = rest.strip_prefix('-')?;
    let (stem, _) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_id = stem.len() >= 32 && stem.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    (!is_id && !stem.is_empty()).then_some(name)
}

/// Returns whether a file of that name may contain the conversations of an export.
fn is_conversations(name: &str) -> bool {
    let number = name.strip_prefix("conversations").and_then(|rest| rest.strip_suffix(".json"));
    number.is_some_and(|number| {
        let digits = number.strip_prefix('-').unwrap_or("0");
        !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()) || number.is_empty()
    })
}

/// Adds the original names of files, and finds files that were renamed back.
fn add_names(assets: &mut Assets, names: &Map, listing: &Listing<'_>) {
    for (file, name) in names {
        let (Some(id), Some(name)) = (id_of(file), name.as_str()) else { continue };
        let path = format!("{}{name}", assets.folder);
        if let Ok(at) = listing.names.binary_search(&path.as_str()) {
            assets.files.entry(id.to_owned()).or_insert_with(|| listing.names[at].to_owned());
        }
        assets.names.insert(id.to_owned(), base_name(name).to_owned());
    }
}

/// Adds the files that ChatGPT made: by message, by conversation, or by name if the name is unique.
fn add_library(assets: &mut Assets, library: &Value) {
    let files = match library {
        Value::Array(files) => files.as_slice(),
        Value::Object(map) => list(map, "files"),
        _ => &[],
    };
    // The file of each key; `None` if there are several.
    let mut found: HashMap<String, Option<String>> = HashMap::new();
    let mut ids: BTreeSet<&str> = BTreeSet::new();
    for file in files.iter().filter_map(Value::as_object) {
        let id = ["file_id", "id"].iter().find_map(|key| text(file, key)).and_then(id_of);
        let (Some(id), Some(name)) = (id, words(file, "file_name")) else { continue };
        let name = base_name(name);
        assets.names.insert(id.to_owned(), name.to_owned());
        let Some(path) = assets.files.get(id).filter(|_| ids.insert(id)) else {
            continue;
        };
        let part = |key: &str| text(file, key).unwrap_or_default();
        let (thread, message) = (part("origination_thread_id"), part("origination_message_id"));
        for key in keys(thread, message, name) {
            let same = found.entry(key).or_insert_with(|| Some(path.clone()));
            if same.as_ref() != Some(path) {
                *same = None;
            }
        }
    }
    assets.files.extend(found.into_iter().filter_map(|(key, path)| Some((key, path?))));
}

/// Returns the keys under which a file is known, the most reliable first.
fn keys(thread: &str, message: &str, name: &str) -> Vec<String> {
    let above = [message, thread].into_iter().filter(|id| !id.is_empty());
    let keys = above.map(|id| format!("{id}/{name}")).chain([name.to_owned()]);
    keys.map(|key| key.replace('|', "-")).collect()
}
