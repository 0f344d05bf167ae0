//! Finds the sources of a folder: which files are read together.

pub(super) mod assets;
pub(super) mod conversation_table;
pub(super) mod edit_table;
pub(super) mod history;
pub(super) mod patterns;
pub(super) mod plain_page;
pub(super) mod publication;
pub(super) mod reason;
pub(super) mod rules;
pub(super) mod settings;
pub(super) mod source;
pub(super) mod stored_paths;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::Read as _;

use rayon::prelude::*;

use self::assets::AssetTables;
use self::history::is_history;
use self::plain_page::{is_in_folder, is_page_file};
use self::reason::Release;
use self::rules::{RuleMatch, Rules};
use self::source::{Opened, Source};
use crate::config::Config;
use crate::files::{FileInfo, Files, Storage};
use crate::formats::{self, Bundle, Format, Input, Listing, OpenServers, section};
use crate::model::Schedule;
use crate::path::RelPath;

/// Finds the sources among the files of a folder.
pub(super) fn find_sources(
    files: &dyn Files,
    listed: &[FileInfo],
    config: &Config,
    rules: &Rules,
    release: &Release,
) -> FoundSources {
    let text = |name: &str| {
        let bytes = files.read(&RelPath::new(name)).ok()?;
        String::from_utf8(bytes).ok()
    };
    let inside: HashMap<&str, &str> = listed.iter().filter_map(inside).collect();
    let rule_for = |name: &str| rules.of(config, name, inside.get(name).copied());
    let containers_of = |files: &[RelPath]| -> Vec<RelPath> {
        let all: BTreeSet<&str> =
            files.iter().filter_map(|file| inside.get(file.as_str()).copied()).collect();
        all.into_iter().map(RelPath::new).collect()
    };
    let names = listed.iter().map(|file| file.path.as_str());
    let (of_pages, names): (Vec<&str>, Vec<&str>) =
        names.partition(|name| is_in_folder(name, &config.content));
    let (ignored, names): (Vec<&str>, Vec<&str>) =
        names.into_iter().partition(|name| rule_for(name).ignored);
    let containers: HashSet<&str> = listed
        .iter()
        .filter(|file| file.storage == Storage::Container)
        .map(|file| file.path.as_str())
        .collect();
    let head = |name: &str, bytes: usize| {
        let mut head = Vec::new();
        let reader = files.open(&RelPath::new(name), 0).ok()?;
        reader.take(bytes as u64).read_to_end(&mut head).ok()?;
        Some(String::from_utf8_lossy(&head).into_owned())
    };
    let len = |name: &str| {
        let found = listed.binary_search_by(|file| file.path.as_str().cmp(name));
        found.map_or(0, |place| listed[place].len)
    };
    let listing = Listing { names: &names, text: &text, head: &head, len: &len };
    let assets = formats::assets(&listing);
    let owned: BTreeSet<&str> =
        assets.iter().flat_map(|assets| &assets.owned).map(String::as_str).collect();
    let is_section = |name: &str| {
        let file = name.rsplit('/').next().unwrap_or_default();
        file == section::FILE && !inside.contains_key(name) && !is_history(name)
    };
    let closed: Vec<(&str, Access)> = names
        .iter()
        .chain(&of_pages)
        .filter(|name| is_section(name))
        .filter_map(|name| Some((name.strip_suffix(section::FILE)?, access(files, name))))
        .filter(|(_, access)| *access != Access::default())
        .collect();
    let rule_for = |name: &str| {
        let mut found = rule_for(name);
        for (_, above) in closed.iter().filter(|(folder, _)| name.starts_with(folder)) {
            found.private |= above.0;
            found.schedule.add(&above.1);
        }
        found
    };
    let mut sources = Vec::new();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut shared: BTreeSet<String> = BTreeSet::new();
    let gathers = formats::ALL
        .iter()
        .copied()
        .filter_map(|format| Some((format, format.read.as_ref().and_then(|read| read.gather)?)));
    let gathers: Vec<_> = gathers.collect();
    let gathered: Vec<(&Format, Vec<Bundle>)> =
        gathers.into_par_iter().map(|(format, gather)| (format, gather(&listing))).collect();
    for (format, bundles) in gathered {
        for bundle in bundles {
            if bundle.files.iter().all(|file| formats::is_tool_output(file)) {
                continue;
            }
            let free = |file: &String| !taken.contains(file);
            let Some(first) = bundle.files.first().filter(|_| bundle.files.iter().all(free)) else {
                continue;
            };
            let rule = rule_for(first).rule;
            if rules.format(rule).is_some_and(|forced| forced != format.name) {
                continue;
            }
            let mut schedule = Schedule::default();
            let all = || bundle.files.iter().chain(&bundle.shared).chain(&bundle.aside);
            for file in all() {
                schedule.add(&rule_for(file).schedule);
            }
            let files: Vec<RelPath> =
                bundle.files.iter().chain(&bundle.shared).map(RelPath::new).collect();
            let source = Source {
                format: Some(format.name),
                schedule,
                private_by: bundle.private.as_ref().map(RelPath::new),
                folder: Some(bundle.folder),
                containers: containers_of(&files),
                files,
                rule,
                private: all().any(|file| rule_for(file).private),
                opened: bundle
                    .files
                    .iter()
                    .map(|file| rule_for(file).opened)
                    .min()
                    .unwrap_or_default(),
                neighbours: bundle.neighbours,
            };
            sources.push(source);
            taken.extend(bundle.files);
            taken.extend(bundle.aside);
            shared.extend(bundle.shared);
        }
    }
    taken.append(&mut shared);
    let mut taken_by_rule = BTreeSet::new();
    let is_held =
        |found: &RuleMatch| found.private || release.held_back(false, &found.schedule).is_some();
    taken_by_rule.extend(
        ignored.iter().filter(|name| is_held(&rule_for(name))).map(|name| (*name).to_owned()),
    );
    let mut revealing = Vec::new();
    let mut tool_outputs = Vec::new();
    for name in names {
        let found = rule_for(name);
        let RuleMatch { rule, private, schedule, .. } = found;
        let forced = rules.format(rule);
        if forced.is_some() || is_held(&found) {
            taken_by_rule.insert(name.to_owned());
        }
        let file = RelPath::new(name);
        let is_read = taken.contains(name) || is_history(name) || containers.contains(name);
        if !is_read && formats::is_tool_output(name) {
            taken_by_rule.insert(name.to_owned());
            tool_outputs.push(file);
            continue;
        }
        if is_section(name) && !taken.contains(name) {
            taken_by_rule.insert(name.to_owned());
            if rules.reveals_name(name) {
                revealing.push(file);
                continue;
            }
            sources.push(Source {
                format: Some(section::FILE),
                folder: None,
                containers: Vec::new(),
                files: vec![file],
                rule,
                private,
                opened: Opened::Nothing,
                private_by: None,
                schedule,
                neighbours: None,
            });
            continue;
        }
        // A file attached to a conversation is not a conversation itself.
        let may_hold = formats::may_hold_conversations(file.name()) && !owned.contains(name);
        let readable = forced.is_some() || may_hold;
        // The history of a repository is read only together with the file it belongs to.
        let is_source = readable && !is_history(name) && !containers.contains(name);
        if is_source && !taken.contains(name) {
            sources.push(Source {
                format: forced,
                folder: None,
                containers: containers_of(std::slice::from_ref(&file)),
                files: vec![file],
                rule,
                private,
                opened: found.opened,
                private_by: None,
                schedule,
                neighbours: None,
            });
        }
    }
    let pages = of_pages.into_iter().filter(|name| is_page_file(name, &config.content));
    let (of_tellers, pages): (Vec<&str>, Vec<&str>) =
        pages.partition(|name| rules.reveals_name(name));
    revealing.extend(of_tellers.into_iter().map(RelPath::new));
    sources.extend(pages.into_iter().map(|name| {
        let RuleMatch { private, schedule, .. } = rule_for(name);
        Source {
            format: Some(formats::PAGE.name),
            folder: None,
            containers: Vec::new(),
            files: vec![RelPath::new(name)],
            rule: None,
            private,
            opened: Opened::Nothing,
            private_by: None,
            schedule,
            neighbours: None,
        }
    }));
    sources.sort_by(|a, b| a.files.cmp(&b.files));
    let ignored = ignored.into_iter().map(str::to_owned).collect();
    let mut reserved = taken.clone();
    reserved.append(&mut taken_by_rule);
    taken.extend(owned.into_iter().map(str::to_owned));
    let reserved = ReservedFiles(reserved);
    let assets = AssetTables::new(assets);
    FoundSources { sources, revealing, members: taken, ignored, tool_outputs, reserved, assets }
}

/// What a file says about publishing its folder: whether it is private, and its schedule.
type Access = (bool, Schedule);

/// Returns what the introduction of a folder says about publishing everything in the folder.
fn access(files: &dyn Files, name: &str) -> Access {
    let path = RelPath::new(name);
    // If it cannot be read, it may be private.
    let Ok(bytes) = files.read(&path) else { return (true, Schedule::default()) };
    let input = Input {
        path: name.to_owned(),
        name: path.name().to_owned(),
        bytes,
        first_line: 1,
        is_continued: false,
    };
    let (_, read, _) =
        formats::parse(formats::named(section::FILE), vec![input], &OpenServers::default());
    let mut access = Access::default();
    for read in read {
        access.0 |= read.private;
        access.1.add(&read.schedule);
    }
    access
}

/// Returns the path of the archive or packed file that contains a file.
fn inside(file: &FileInfo) -> Option<(&str, &str)> {
    match &file.storage {
        Storage::Inside(container) => Some((file.path.as_str(), container.as_str())),
        Storage::Plain | Storage::Container => None,
    }
}

/// The sources of a folder, and the roles of its other files.
pub(crate) struct FoundSources {
    /// The sources, in the order of their first files.
    pub(super) sources: Vec<Source>,
    /// Files whose URL would reveal withheld text.
    pub(super) revealing: Vec<RelPath>,
    /// The files of sources with several files, and of exports, whether they are read or not.
    pub(super) members: BTreeSet<String>,
    /// The files ignored by a rule.
    pub(super) ignored: BTreeSet<String>,
    /// Saved outputs of tools without their sessions, which are not read.
    pub(super) tool_outputs: Vec<RelPath>,
    /// Files that are never published unchanged.
    pub(super) reserved: ReservedFiles,
    /// The files that conversations refer to by id.
    pub(super) assets: AssetTables,
}

/// The files that no page shows unchanged: files that are read as conversations, whatever their
/// text shows, files that belong to such files, and files withheld by a rule.
pub(crate) struct ReservedFiles(pub(super) BTreeSet<String>);
