//! Outputs of tools.

use super::picture::Picture;
use convo_base::json::{self, Map, Value};
use convo_base::model::ToolResult;

/// The output of a tool.
#[derive(Debug, Default)]
pub(super) struct Output {
    /// See [`convo_base::model::ToolResult::state`].
    pub(super) state: &'static str,
    /// The output without the lines that Codex adds.
    pub(super) value: Option<Value>,
    /// The exit code, for a command.
    pub(super) exit_code: Option<i64>,
    /// The duration in milliseconds.
    pub(super) duration: Option<u64>,
    /// The pictures in it.
    pub(super) pictures: Vec<Picture>,
}

/// Prefixes of outputs that report a decision of the user.
const REJECTED: [&str; 3] =
    ["exec command rejected by user", "patch rejected by user", "rejected by user"];

/// Lines added by Codex that are not relevant to readers.
const FRAME: [&str; 6] = [
    "Chunk ID:",
    "Original token count:",
    "Total output lines:",
    "Process running with session ID",
    "Script running with cell ID",
    "Command:",
];

impl Output {
    /// Reads an output: a text, a list of texts and pictures, or an object.
    pub(super) fn read(value: Value) -> Self {
        let mut output = Self::default();
        match value {
            Value::String(text) => output.text(text),
            Value::Array(list) => output.list(list),
            Value::Object(map) => output.object(map),
            Value::Null => {}
            other => output.value = Some(other),
        }
        output
    }

    /// Sets the exit code and the state that follows from it.
    pub(super) fn exit(&mut self, code: i64) {
        self.exit_code = Some(code);
        self.state = if code == 0 { "succeeded" } else { "failed" };
    }

    /// Returns the result of a call.
    pub(super) fn result(self) -> ToolResult {
        ToolResult {
            state: self.state.to_owned(),
            output: self.value,
            duration: self.duration.map(Value::from),
            ..ToolResult::default()
        }
    }

    fn text(&mut self, text: String) {
        let start = text.trim_start();
        let may_be_object =
            start.starts_with('{') && (text.contains("\"output\"") || text.contains("\"content\""));
        if (may_be_object || start.starts_with("[{\"type\""))
            && let Ok((value, _)) = json::parse(&text)
        {
            match value {
                Value::Object(map) if is_framed(&map) => return self.object(map),
                Value::Array(list) if list.iter().all(is_part) => return self.list(list),
                _ => {}
            }
        }
        let kept = self.frame(&text).map(str::to_owned);
        let text = kept.unwrap_or(text);
        if REJECTED.iter().any(|words| text.starts_with(words)) {
            self.state = "rejected";
        } else if text.starts_with("aborted by user") {
            self.state = "canceled";
        }
        self.value = (!text.trim().is_empty()).then(|| text.into());
    }

    /// Reads the lines that Codex adds before an output, and returns the rest.
    fn frame<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        let mut at = 0;
        let (mut exit, mut millis, mut state, mut lines) = (None, None, "", 0);
        loop {
            let line = text.get(at..)?.lines().next()?;
            let after = |head: &str| line.strip_prefix(head).map(str::trim);
            let end = at + line.len();
            if line == "Output:" {
                at = end;
                break;
            }
            if let Some(code) = after("Exit code:").or_else(|| after("Process exited with code")) {
                exit = Some(code.parse::<i64>().ok()?);
            } else if let Some(time) =
                after("Wall time:").or_else(|| after("Wall time")).or_else(|| after("Duration:"))
            {
                let seconds = time.split_whitespace().next()?.parse::<f64>().ok()?;
                millis = Some(seconds);
            } else if line.starts_with("Script completed") {
                state = "succeeded";
            } else if line.starts_with("Script failed") || line.starts_with("Script errored") {
                state = "failed";
            } else if line.is_empty() && lines == 0
                || !line.is_empty() && !FRAME.iter().any(|head| line.starts_with(head))
            {
                return None;
            }
            lines += 1;
            at = end + 1;
        }
        if lines == 0 {
            return None;
        }
        if !state.is_empty() {
            self.state = state;
        }
        if let Some(code) = exit {
            self.exit(code);
        }
        self.duration = millis.and_then(millis_of);
        let rest = text.get(at..).unwrap_or_default();
        Some(rest.strip_prefix('\n').unwrap_or(rest))
    }

    fn list(&mut self, list: Vec<Value>) {
        let mut texts = Vec::new();
        let mut others = Vec::new();
        for part in list {
            let Value::Object(mut map) = part else {
                others.push(part);
                continue;
            };
            let text = ["text", "input_text", "output_text"];
            let kind = map.get("type").and_then(Value::as_str).unwrap_or_default();
            let kind = kind.to_owned();
            if text.contains(&kind.as_str()) || map.len() == 1 && map.contains_key("text") {
                texts.extend(super::line::take_text(&mut map, "text"));
            } else if let Some(picture) = picture(&mut map) {
                self.pictures.push(picture);
            } else if kind == "encrypted_content" {
                // All of it is encrypted.
            } else {
                others.push(Value::Object(map));
            }
        }
        // The first of several parts may consist only of added lines.
        let mut text = String::new();
        for part in texts {
            let kept = match text.is_empty() {
                true => self.frame(&part).map(str::to_owned).unwrap_or(part),
                false => part,
            };
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&kept);
        }
        if others.is_empty() {
            self.value = (!text.trim().is_empty()).then(|| text.into());
        } else {
            if !text.trim().is_empty() {
                others.insert(0, text.into());
            }
            others.iter_mut().for_each(scrub);
            self.value = Some(others.into());
        }
    }

    fn object(&mut self, mut map: Map) {
        // The result of an MCP tool: `{"Ok": {"content": […]}}`.
        if let Some(ok) = map.get_mut("Ok").map(Value::take) {
            self.state = "succeeded";
            return self.nested(ok);
        }
        if let Some(error) = map.get_mut("Err").map(Value::take) {
            self.nested(error);
            self.state = "failed";
            return;
        }
        if !is_framed(&map) {
            let mut value = Value::Object(map);
            scrub(&mut value);
            self.value = Some(value);
            return;
        }
        let flag = |key: &str| map.get(key).and_then(Value::as_bool);
        let failed = flag("isError").or(flag("is_error"));
        match flag("success").or(failed.map(|failed| !failed)) {
            Some(true) => self.state = "succeeded",
            Some(false) => self.state = "failed",
            None => {}
        }
        let about = map.get("metadata").and_then(Value::as_object);
        let number = |key: &str| about.and_then(|about| about.get(key));
        let code = number("exit_code").and_then(Value::as_i64);
        let code = code.or_else(|| map.get("exit_code").and_then(Value::as_i64));
        if let Some(code) = code {
            self.exit(code);
        }
        let seconds = number("duration_seconds").and_then(Value::as_f64);
        self.duration = seconds.and_then(millis_of).or(self.duration);
        let state = self.state;
        let inner = ["output", "content"].into_iter().find_map(|key| map.remove(key));
        if let Some(inner) = inner {
            self.nested(inner);
        }
        if !state.is_empty() {
            self.state = state;
        }
    }

    fn nested(&mut self, value: Value) {
        let known = std::mem::take(self);
        let inner = Self::read(value);
        *self = Self {
            state: if inner.state.is_empty() { known.state } else { inner.state },
            exit_code: known.exit_code.or(inner.exit_code),
            duration: known.duration.or(inner.duration),
            ..inner
        };
    }
}

/// Returns whether an object is an output with metadata.
fn is_framed(map: &Map) -> bool {
    let about = ["metadata", "success", "exit_code", "isError", "is_error"];
    let known = |key: &String| {
        about.contains(&key.as_str())
            || ["output", "content", "structuredContent", "structured_content", "_meta"]
                .contains(&key.as_str())
    };
    let has_output = map.get("output").is_some_and(Value::is_string)
        || map.get("content").is_some_and(|value| value.is_string() || value.is_array());
    has_output && map.keys().all(known)
}

/// Returns whether a value is a part of an output.
fn is_part(value: &Value) -> bool {
    let kind = value.get("type").and_then(Value::as_str).unwrap_or_default();
    ["text", "input_text", "output_text", "input_image", "image"].contains(&kind)
}

/// Removes the picture from a part of a message or an output, and returns it.
pub(super) fn picture(map: &mut Map) -> Option<Picture> {
    let kind = map.get("type").and_then(Value::as_str).unwrap_or_default();
    match kind {
        "input_image" | "image" | "image_url" | "inputImage" => {
            let mime = super::line::take_text(map, "mimeType");
            if let Some(data) = super::line::take_text(map, "data") {
                return Some(Picture::base64(data, mime.as_deref()));
            }
            let keys = ["image_url", "url"];
            let url = keys.into_iter().find_map(|key| match map.get_mut(key)? {
                Value::String(url) => Some(std::mem::take(url)),
                Value::Object(inner) => super::line::take_text(inner, "url"),
                _ => None,
            });
            url.map(Picture::at)
        }
        "local_image" | "localImage" => super::line::text(map, "path").map(Picture::file),
        _ => None,
    }
}

/// Removes encrypted data and the bytes of pictures from a value.
pub(super) fn scrub(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(scrub),
        Value::Object(map) => {
            map.retain(|key, _| key != "encrypted_content");
            map.values_mut().for_each(scrub);
        }
        Value::String(text) if text.starts_with("data:") && text.contains(";base64,") => {
            text.truncate(text.find(',').unwrap_or(0));
        }
        _ => {}
    }
}

fn millis_of(seconds: f64) -> Option<u64> {
    let millis = (seconds * 1000.0).round();
    (millis.is_finite() && (0.0..1e12).contains(&millis)).then_some(millis as u64)
}

/// Returns a duration in milliseconds.
pub(super) fn duration(value: &Value) -> Option<u64> {
    if let Some(seconds) = value.get("secs").and_then(Value::as_u64) {
        let nanos = value.get("nanos").and_then(Value::as_u64).unwrap_or(0);
        return seconds.checked_mul(1000).map(|millis| millis.saturating_add(nanos / 1_000_000));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::Output;
    use serde_json::json;

    #[track_caller]
    fn check(value: serde_json::Value, text: &str, exit: Option<i64>, state: &str) {
        let output = Output::read(value);
        let value = output.value.unwrap_or_default();
        assert_eq!(value.as_str().unwrap_or_default(), text);
        assert_eq!((output.exit_code, output.state), (exit, state));
    }

    #[test]
    fn the_frame_of_an_output_is_read_and_removed() {
        let object = r#"{"output": "hi\n", "metadata": {"exit_code": 1, "duration_seconds": 0.5}}"#;
        check(object.into(), "hi\n", Some(1), "failed");
        check(
            "Exit code: 0\nWall time: 1.5 seconds\nOutput:\nhi".into(),
            "hi",
            Some(0),
            "succeeded",
        );
        let unified = "Chunk ID: 4f\nWall time: 0.1 seconds\nProcess exited with code 2\n\
                       Original token count: 1\nOutput:\nhi";
        check(unified.into(), "hi", Some(2), "failed");
        check("Output: of a machine\nhi".into(), "Output: of a machine\nhi", None, "");
        check(json!({"content": "no", "success": false}), "no", None, "failed");
        let parts = json!([{"type": "input_text", "text": "Script completed\nWall time 0.1 seconds\nOutput:\n"},
            {"type": "input_text", "text": "hi"}]);
        check(parts, "hi", None, "succeeded");
        let served = json!({"Ok": {"content": [{"type": "text", "text": "hi"}], "isError": false}});
        check(served, "hi", None, "succeeded");
        check(json!({"Err": "gone"}), "gone", None, "failed");
        check("{\"a\": 1}".into(), "{\"a\": 1}", None, "");
    }

    #[test]
    fn pictures_are_removed() {
        let parts =
            json!([{"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="}]);
        let output = Output::read(parts);
        assert_eq!((output.pictures.len(), output.value), (1, None));
    }
}
