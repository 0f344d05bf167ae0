//! A message of the export, in which any value may be missing.

use convo_base::json::{Map, Value};
use convo_base::time::Time;

/// A message.
#[derive(Clone, Copy)]
pub(super) struct Message<'a>(&'a Map);

impl<'a> Message<'a> {
    pub(super) fn new(map: &'a Map) -> Self {
        Self(map)
    }

    pub(super) fn id(self) -> Option<&'a str> {
        text(self.0, "id")
    }

    /// Returns `user`, `assistant`, `tool`, `system` or another value.
    pub(super) fn role(self) -> &'a str {
        let author = object(self.0, "author");
        match author.and_then(|author| text(author, "role")) {
            Some("function") => "tool",
            role => role.unwrap_or_default(),
        }
    }

    /// Returns the name of the tool that wrote it.
    pub(super) fn author(self) -> Option<&'a str> {
        text(object(self.0, "author")?, "name")
    }

    /// Returns the tool that it is addressed to; `None` if it is addressed to all.
    pub(super) fn tool(self) -> Option<&'a str> {
        let recipient = text(self.0, "recipient")?;
        (!["all", "assistant", "user"].contains(&recipient)).then_some(recipient)
    }

    pub(super) fn channel(self) -> Option<&'a str> {
        text(self.0, "channel")
    }

    pub(super) fn status(self) -> Option<&'a str> {
        text(self.0, "status")
    }

    pub(super) fn time(self) -> Option<Time> {
        seconds(self.0.get("create_time")?).and_then(time)
    }

    /// Returns whether ChatGPT shows it only on demand, or not at all.
    pub(super) fn is_shown_on_demand(self) -> bool {
        self.0.get("weight").and_then(Value::as_f64) == Some(0.0)
    }

    /// Returns whether ChatGPT never shows it.
    pub(super) fn is_hidden(self) -> bool {
        let author = object(self.0, "author");
        let about_author = author.and_then(|author| object(author, "metadata"));
        let places =
            [object(self.0, "metadata"), Some(self.0), self.content(), author, about_author];
        let says = |map: &Map| map.get("is_visually_hidden_from_conversation").is_some_and(is_set);
        places.into_iter().flatten().any(says)
    }

    /// Returns whether it contains settings of the user for all conversations, such as custom instructions.
    pub(super) fn is_about_user(self) -> bool {
        let says = |key: &str| self.metadata(key).is_some_and(is_set);
        says("is_user_system_message") || says("user_context_message_data")
    }

    /// Returns the value of a metadata key.
    pub(super) fn metadata(self, key: &str) -> Option<&'a Value> {
        object(self.0, "metadata")?.get(key).filter(|value| !value.is_null())
    }

    /// Returns the list under a metadata key.
    pub(super) fn list(self, key: &str) -> &'a [Value] {
        self.metadata(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    pub(super) fn content(self) -> Option<&'a Map> {
        object(self.0, "content")
    }

    /// Returns its content type: `text`, `code`, `thoughts` and so on.
    pub(super) fn kind(self) -> &'a str {
        self.content().and_then(|content| text(content, "content_type")).unwrap_or_default()
    }

    /// Returns the text of its content, which is one string or several parts.
    pub(super) fn text(self) -> String {
        let Some(content) = self.content() else { return String::new() };
        let parts = content.get("parts").and_then(Value::as_array);
        let parts = parts.into_iter().flatten().filter_map(Value::as_str);
        let parts: Vec<&str> = parts.chain(text(content, "text")).collect();
        parts.join("\n")
    }

    /// Returns the model that wrote it.
    pub(super) fn model(self) -> Option<&'a str> {
        let slug = |key: &str| self.metadata(key)?.as_str().filter(|slug| !slug.is_empty());
        slug("model_slug").or_else(|| slug("resolved_model_slug"))
    }
}

/// Returns whether a flag is set, as text or as a number.
pub(super) fn is_set(flag: &Value) -> bool {
    const NO: [&str; 7] = ["", "false", "no", "0", "off", "null", "none"];
    match flag {
        Value::Null => false,
        Value::Bool(is) => *is,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !NO.contains(&&*text.trim().to_ascii_lowercase()),
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
    }
}

/// Returns the string under a key, if it is a string.
pub(super) fn text<'a>(map: &'a Map, key: &str) -> Option<&'a str> {
    map.get(key)?.as_str()
}

/// Returns the string under a key, unless it is blank.
pub(super) fn words<'a>(map: &'a Map, key: &str) -> Option<&'a str> {
    text(map, key).map(str::trim).filter(|text| !text.is_empty())
}

/// Returns the object under a key, if it is an object.
pub(super) fn object<'a>(map: &'a Map, key: &str) -> Option<&'a Map> {
    map.get(key)?.as_object()
}

/// Returns the list under a key, or an empty one.
pub(super) fn list<'a>(map: &'a Map, key: &str) -> &'a [Value] {
    map.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns a number of seconds since 1970, which some exports write as text.
pub(super) fn seconds(value: &Value) -> Option<f64> {
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
    number.filter(|seconds| seconds.is_finite() && *seconds > 0.0)
}

/// Returns the time, without the fraction.
pub(super) fn time(seconds: f64) -> Option<Time> {
    Time::from_unix(seconds as i64)
}
