//! JSON as we read it beside JSON as serde_json does: what is JSON is read alike, what is not is told,
//! and every value is found where it stands.
#![no_main]

use convo_site::json::{self, Deviation, Step, Value};
use libfuzzer_sys::fuzz_target;

/// The most values of a text whose places are looked up.
const PLACES: usize = 40;

fuzz_target!(|text: &str| {
    let theirs = serde_json::from_str::<Value>(text);
    for at in [0, text.len() / 2, text.len(), text.len() + 1] {
        let range = json::value_at(text, at);
        assert!(range.start <= range.end && range.end <= text.len(), "{range:?}");
    }
    let steps = [Step::Index(0), Step::Key("a"), Step::Index(1)];
    let some = [&steps[..0], &steps[..1], &steps[1..2], &steps[1..]];
    for range in some.into_iter().flat_map(|steps| {
        json::elements(text, steps).into_iter().chain([json::locate(text, steps)])
    }) {
        assert!(text.get(range.clone()).is_some(), "{range:?}");
    }
    let keys = json::keys(text);
    let (value, deviations) = match json::parse(text) {
        Ok(read) => read,
        Err(error) => {
            assert!(theirs.is_err(), "{text:?} is JSON: {}", error.about("it"));
            assert!(error.at <= text.len());
            return;
        }
    };
    for (deviation, range) in &deviations {
        assert!(text.get(range.clone()).is_some(), "{deviation:?} at {range:?}");
    }
    let is_json = deviations.iter().all(|(one, _)| *one == Deviation::RepeatedKey);
    assert_eq!(theirs.is_ok(), is_json, "{deviations:?}");
    let safe = json::for_script(&value);
    assert!(!safe.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{safe}");
    assert_eq!(serde_json::from_str::<Value>(&safe).ok().as_ref(), Some(&value));
    let pretty = json::pretty(&value);
    assert_eq!(serde_json::from_str::<Value>(&pretty).ok().as_ref(), Some(&value));
    if !deviations.is_empty() {
        return;
    }
    assert_eq!(theirs.ok().as_ref(), Some(&value));
    if let Value::Object(map) = &value {
        assert_eq!(keys.len(), map.len());
        for ((_, found), value) in keys.iter().zip(map.values()) {
            assert_eq!(serde_json::from_str::<Value>(found).ok().as_ref(), Some(value));
        }
    }
    if let Value::Array(list) = &value {
        let found = json::elements(text, &[]);
        assert_eq!(found.len(), list.len());
        for (range, value) in found.into_iter().zip(list) {
            let found = serde_json::from_str::<Value>(&text[range]).ok();
            assert_eq!(found.as_ref(), Some(value));
        }
    }
    places(text, &value);
});

/// Every value stands where [`json::locate`] says.
fn places(text: &str, value: &Value) {
    let mut waiting: Vec<(Vec<Step<'_>>, &Value)> = vec![(Vec::new(), value)];
    for _ in 0..PLACES {
        let Some((steps, value)) = waiting.pop() else { return };
        let range = json::locate(text, &steps);
        let found = serde_json::from_str::<Value>(&text[range]).ok();
        assert_eq!(found.as_ref(), Some(value));
        let deeper = |step| steps.iter().copied().chain([step]).collect();
        match value {
            Value::Array(list) => {
                let list = list.iter().enumerate().take(PLACES);
                waiting.extend(list.map(|(at, value)| (deeper(Step::Index(at)), value)));
            }
            Value::Object(map) => {
                let map = map.iter().take(PLACES);
                waiting.extend(map.map(|(key, value)| (deeper(Step::Key(key)), value)));
            }
            _ => {}
        }
    }
}
