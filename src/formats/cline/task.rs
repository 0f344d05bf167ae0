//! Metadata of a task.

use super::super::File;
use super::TASK;
use crate::shared::access::visibility;
use crate::shared::agents::turns::Turns;
use crate::shared::json::object::document;
use crate::shared::tally::no_messages;
use convo_base::diag::{Note, Severity};
use convo_base::json::{Map, Value};

/// Metadata of a task.
#[derive(Default)]
pub(super) struct About {
    /// Whether Roo Code or one of its forks wrote it.
    is_roo: bool,
    id: Option<String>,
    /// Whether it is marked as private.
    private: bool,
    /// The parent task.
    parent: Option<String>,
    folder: Option<String>,
    /// The models, each with the time of its first use in milliseconds.
    models: Vec<(i64, String)>,
}

impl About {
    pub(super) fn of(files: &[File], notes: &mut Vec<Note>) -> Self {
        let mut about = Self::default();
        for (index, file) in files.iter().enumerate() {
            let name = file.name.rsplit('/').next().unwrap_or_default();
            if !TASK.contains(&name) || files.len() == 1 {
                continue;
            }
            let Some(Value::Object(map)) = document(&file.text, 0..file.text.len(), index, notes)
            else {
                continue;
            };
            about.private |= visibility::holds_back(&visibility::read_access_of_map(
                &map,
                visibility::Scope::Conversation,
            ));
            if name == TASK[0] {
                about.item(&map);
            }
            let used = map.get("model_usage").and_then(Value::as_array);
            about.models.extend(used.into_iter().flatten().filter_map(|used| {
                let model = used.get("model_id")?.as_str()?.to_owned();
                Some((used.get("ts").and_then(Value::as_i64).unwrap_or_default(), model))
            }));
        }
        about.models.sort_by_key(|(from, _)| *from);
        about
    }

    fn item(&mut self, map: &Map) {
        let text = |key: &str| map.get(key).and_then(Value::as_str).map(str::to_owned);
        self.is_roo = map.contains_key("workspace") || map.contains_key("number");
        self.id = text("id");
        self.parent = text("parentTaskId").filter(|parent| !parent.is_empty());
        self.folder = text("workspace").or_else(|| text("cwdOnTaskInitialization"));
        let model = text("modelId");
        self.models.extend(model.map(|model| (0, model)));
    }

    /// Opens the session of the task.
    pub(super) fn session(&self, file: usize) -> Turns {
        let name = if self.is_roo { "Roo Code" } else { "Cline" };
        let mut session = Turns::new(file, name);
        session.read.id.clone_from(&self.id);
        session.read.private = self.private;
        session.read.parent.clone_from(&self.parent);
        session.cwd.clone_from(&self.folder);
        session
    }

    /// Returns the model that was in use at a time in milliseconds.
    pub(super) fn model(&self, at: i64) -> Option<&str> {
        let place = self.models.partition_point(|(from, _)| *from <= at);
        let found = self.models.get(place.saturating_sub(1));
        found.map(|(_, model)| model.as_str())
    }
}

/// Returns the note on a task without messages.
pub(super) fn silent(file: usize) -> Note {
    no_messages(Severity::Warning).in_file(file)
}
