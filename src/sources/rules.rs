//! What the `[[source]]`s of the configuration say of files and of what is read from them.

use globset::{GlobBuilder, GlobMatcher};

use crate::config::{Config, SourceRule, Visibility};
use crate::diag::{Diagnostic, Noted, Severity};
use crate::formats;
use crate::hash::Hash;
use crate::json::Value;
use crate::model::Conversation;
use crate::text::closest;
use crate::time::Time;

/// The rules, ready to be asked.
#[derive(Clone, Debug)]
pub struct Rules {
    of_files: Vec<Compiled>,
    /// The zone in which all times are shown.
    time_zone: Option<String>,
    /// Changes whenever something that they say does.
    pub hash: Hash,
}

#[derive(Clone, Debug)]
struct Compiled {
    matcher: Option<GlobMatcher>,
    format: Option<&'static str>,
    rule: SourceRule,
}

impl Rules {
    /// Compiles the rules; what does not fit is an error among the notes and has no effect.
    pub fn new(config: &Config) -> Noted<Self> {
        let mut notes = Vec::new();
        let mut wrong = |message: String, hint: String| {
            let note = Diagnostic::new(Severity::Error, "bad-value", message);
            notes.push(note.in_file("site.toml").hint(hint));
        };
        let is_zone = |zone: &String, wrong: &mut dyn FnMut(String, String)| {
            let is_known =
                Time::from_unix(0).and_then(|time| time.shown_in(zone)).is_some();
            if !is_known {
                let hint = "use a name of the IANA time zone database".to_owned();
                wrong(format!("no time zone `{zone}` is known"), hint);
            }
            is_known
        };
        let time_zone = Some(config.time_zone.clone()).filter(|zone| !zone.is_empty());
        let time_zone = time_zone.filter(|zone| is_zone(zone, &mut wrong));
        let mut of_files = Vec::new();
        for rule in &config.source {
            let glob = GlobBuilder::new(&rule.files).literal_separator(true).build();
            let matcher = match glob {
                Ok(glob) => Some(glob.compile_matcher()),
                Err(error) => {
                    let hint = "write a pattern such as `podcasts/**/*.md`".to_owned();
                    wrong(format!("`files` of a `[[source]]`: {}", error.kind()), hint);
                    None
                }
            };
            let readable = formats::ALL.iter().filter(|format| format.read.is_some());
            let mut format = None;
            if let Some(name) = &rule.format {
                format =
                    readable.clone().map(|known| known.name).find(|known| known == name);
                if format.is_none() {
                    let names = readable.map(|format| format.name);
                    let hint = match closest(name, names) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => "`convo-site list formats` names them all".to_owned(),
                    };
                    wrong(format!("no format `{name}` can be read"), hint);
                }
            }
            let mut rule = rule.clone();
            let zone = rule.time_zone.take();
            rule.time_zone = zone.filter(|zone| is_zone(zone, &mut wrong));
            of_files.push(Compiled { matcher, format, rule });
        }
        let hash = Hash::of(&(&config.source, &config.time_zone));
        Noted { value: Self { of_files, time_zone, hash }, notes }
    }

    /// The first rule for a file, whose path is relative to the site folder.
    pub(super) fn find(&self, config: &Config, path: &str) -> Option<usize> {
        let inside = path.strip_prefix(config.content.as_str()).unwrap_or(path);
        let inside = inside.trim_start_matches('/');
        let fits = |rule: &Compiled| {
            rule.matcher.as_ref().is_some_and(|glob| glob.is_match(inside))
        };
        self.of_files.iter().position(fits)
    }

    /// The format that a rule forces.
    pub(super) fn format(&self, rule: Option<usize>) -> Option<&'static str> {
        self.of_files.get(rule?)?.format
    }

    /// Whether a rule keeps its files from being published.
    pub(super) fn holds_back(&self, rule: Option<usize>) -> bool {
        let rule = rule.and_then(|rule| self.of_files.get(rule));
        rule.is_some_and(|rule| rule.rule.visibility == Visibility::Private)
    }

    /// Applies a rule, and what is so of all files, to what was read.
    pub(super) fn apply(&self, rule: Option<usize>, read: &mut Conversation) {
        read.unfound |= read.extra.get("search") == Some(&Value::Bool(false));
        if let Some(Compiled { rule, .. }) = rule.and_then(|rule| self.of_files.get(rule))
        {
            apply(rule, read);
        }
        if let Some(zone) = &self.time_zone {
            set_times(read, |time| time.shown_in(zone));
        }
    }
}

fn apply(rule: &SourceRule, read: &mut Conversation) {
    for who in &mut read.participants {
        if let Some(kind) = rule.speakers.get(&who.name) {
            who.kind = *kind;
        }
    }
    for tag in &rule.tags {
        if !read.tags.contains(tag) {
            read.tags.push(tag.clone());
        }
    }
    read.unfound |= !rule.search;
    // What says of itself that it is private stays so.
    read.private |= rule.visibility == Visibility::Private;
    if let Some(zone) = &rule.time_zone {
        set_times(read, |time| time.in_zone(zone));
    }
}

fn set_times(read: &mut Conversation, set: impl Fn(Time) -> Option<Time>) {
    let set = |time: &mut Option<Time>| {
        *time = time.take().and_then(|time| set(time.clone()).or(Some(time)));
    };
    set(&mut read.time);
    read.all_turns_mut().for_each(|turn| set(&mut turn.time));
}
