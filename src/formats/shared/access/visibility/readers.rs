//! Access of a channel, room, topic or message in its original program, read from the program's own
//! fields.
//!
//! Something is public only if its field has the value that the program writes for public content.
//! An absent field, `null`, an empty value, `false`, zero, an unknown word and a value of another
//! type do not count. If a key is repeated, each value must match.

use super::keys::plain;
use super::marks::{values, values_in};
use convo_base::json::{Map, Value};

/// A field in which a program says who can read something.
pub(crate) struct Field<'a> {
    /// Its keys, normalised.
    keys: &'a [&'a str],
    public: Public<'a>,
    /// Whether the program omits the field for public content.
    is_optional: bool,
}

/// The values of a field that mean public.
#[derive(Clone, Copy)]
pub(crate) enum Public<'a> {
    /// One of these words, as written by the program.
    Words(&'a [&'a str]),
    /// One of these numbers.
    Numbers(&'a [f64]),
    /// `false`; the field is a mark such as `is_private`.
    False,
    /// Any non-blank text; only public content has a name.
    Name,
    /// No value; only restricted content has the field.
    Nothing,
}

impl<'a> Field<'a> {
    /// Creates a field that the program always writes.
    pub(crate) const fn always(keys: &'a [&'a str], public: Public<'a>) -> Self {
        Self { keys, public, is_optional: false }
    }

    /// Creates a field that the program may omit for public content.
    pub(crate) const fn optional(keys: &'a [&'a str], public: Public<'a>) -> Self {
        Self { keys, public, is_optional: true }
    }

    fn is_public(&self, mut values: impl Iterator<Item = bool>) -> bool {
        match values.next() {
            Some(first) => first && values.all(|is_public| is_public),
            None => self.is_optional,
        }
    }
}

impl Public<'_> {
    fn contains(self, value: &Value) -> bool {
        match (self, value) {
            (Self::Words(words), Value::String(word)) => words.contains(&word.as_str()),
            (Self::Numbers(numbers), Value::Number(number)) => {
                number.as_f64().is_some_and(|number| numbers.contains(&number))
            }
            (Self::False, Value::Bool(is)) => !is,
            (Self::Name, Value::String(name)) => !plain(name).is_empty(),
            _ => false,
        }
    }
}

/// Returns whether all these fields of a JSON object mean public.
pub(crate) fn is_public(json: &str, fields: &[Field<'_>]) -> bool {
    fields.iter().all(|field| {
        let values = values(json, field.keys);
        field.is_public(values.map(|value| field.public.contains(&value)))
    })
}

/// The same for an object without source text.
pub(crate) fn is_public_in(map: &Map, fields: &[Field<'_>]) -> bool {
    fields.iter().all(|field| {
        let values = values_in(map, field.keys);
        field.is_public(values.map(|value| field.public.contains(value)))
    })
}

#[cfg(test)]
mod tests {
    use super::{Field, Public, is_public};

    #[test]
    fn only_the_value_of_the_program_is_public() {
        let of = |value: &str, public| {
            is_public(
                &format!("{{\"who_reads\": {value}}}"),
                &[Field::always(&["whoreads"], public)],
            )
        };
        let words = Public::Words(&["open", "O"]);
        assert!(of("\"open\"", words) && of("\"O\"", words) && of("false", Public::False));
        assert!(of("2", Public::Numbers(&[2.0])) && of("\"a name\"", Public::Name));
        for value in [
            "null", "\"\"", "\" \"", "0", "0.0", "[]", "{}", "true", "1", "\"false\"", "\"Open\"",
            "[\"open\"]", "[false]", "x",
        ] {
            for public in [words, Public::Numbers(&[2.0]), Public::False, Public::Nothing] {
                assert!(!of(value, public), "{value}");
            }
        }
        assert!(!of("false", words) && !of("false", Public::Name) && !of("\" \"", Public::Name));
        let fields = [Field::always(&["a"], Public::False)];
        assert!(!is_public("{}", &fields) && !is_public(r#"{"a": false, "a": 0}"#, &fields));
        let fields = [Field::optional(&["a"], Public::False)];
        assert!(is_public("{}", &fields) && !is_public(r#"{"a": null}"#, &fields));
    }
}
