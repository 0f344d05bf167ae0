//! Who can read a channel, a room, a topic or a message, by the fields in which its program says so.
//!
//! Only a value that the program writes for what everybody can read is public. An absent field, `null`, an
//! empty value, `false`, zero, an unknown word and a value of another type are not. Of a key that occurs
//! twice each value counts.

use super::keys::plain;
use super::marks::{values, values_in};
use convo_base::json::{Map, Value};

/// A field in which a program says who can read something.
pub(crate) struct Field<'a> {
    /// Its keys, by their lower-case letters and digits.
    keys: &'a [&'a str],
    public: Public<'a>,
    /// Whether the program leaves it out where it has nothing to say.
    is_optional: bool,
}

/// The values of a field of what everybody can read.
#[derive(Clone, Copy)]
pub(crate) enum Public<'a> {
    /// One of these words, as the program writes them.
    Words(&'a [&'a str]),
    /// One of these numbers.
    Numbers(&'a [f64]),
    /// `false`: the field is a mark such as `is_private`.
    False,
    /// Any text that is not blank: only what everybody can read has a name.
    Name,
    /// None: only what is closed has the field.
    Nothing,
}

impl<'a> Field<'a> {
    /// A field that the program always writes.
    pub(crate) const fn always(keys: &'a [&'a str], public: Public<'a>) -> Self {
        Self { keys, public, is_optional: false }
    }

    /// A field that the program may leave out of what is public.
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

/// Returns whether a JSON object says in each of these fields that everybody can read what it is about.
pub(crate) fn is_public(json: &str, fields: &[Field<'_>]) -> bool {
    fields.iter().all(|field| {
        let values = values(json, field.keys);
        field.is_public(values.map(|value| field.public.contains(&value)))
    })
}

/// Returns the same for an object whose text is not at hand.
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
    fn only_what_the_program_writes_is_public() {
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
