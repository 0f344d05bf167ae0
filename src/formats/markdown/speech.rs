//! Decides whether a text sounds like speech addressed to someone.

/// The maximum number of bytes that are examined.
const MAX_SPEECH_BYTES: usize = 400;

/// Returns whether it asks, greets, agrees, or uses `I`. Text in quotation marks does not count, because
/// the quoted person does not take part.
pub(super) fn is_spoken(text: &str) -> bool {
    let mut end = text.len().min(MAX_SPEECH_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let text = text[..end].trim_start();
    if text.starts_with(['"', '“', '«', '„', '>', '「', '\'']) {
        return false;
    }
    let asks = text.match_indices(['?', '？', '؟']).any(|(at, mark)| {
        let next = text[at + mark.len()..].chars().next();
        mark == "？" || next.is_none_or(|c| c.is_whitespace() || "\"”»)*_!.".contains(c))
    });
    let greek = |c: char| ('\u{370}'..='\u{3ff}').contains(&c);
    let asks = asks || text.contains([';', '\u{37e}']) && text.contains(greek);
    let mut words =
        text.split_whitespace().map(|word| word.trim_matches(|c| ".,;:!?…*_()\"".contains(c)));
    let Some(first) = words.clone().next() else { return false };
    let lower = first.to_lowercase();
    // `yes` on its own is a value.
    let more = text.trim_end().len() > first.len();
    let answers = more && !first.starts_with(char::is_lowercase);
    asks || text.starts_with('¿')
        || answers && OPENERS.contains(&lower.as_str())
        || GREETINGS.contains(&lower.as_str())
        || words.any(is_i)
        || CHARACTERS.iter().any(|characters| text.contains(characters))
}

/// Returns whether the speakers refer to themselves.
pub(super) fn has_first_person(text: &str) -> bool {
    let text = &text[..text.floor_char_boundary(MAX_SPEECH_BYTES * 4)];
    let mut words = text.split(|c: char| c.is_whitespace() || ".,;:!?…*_()\"".contains(c));
    words.any(is_i) || ["我", "私", "僕", "저는", "나는"].iter().any(|word| text.contains(word))
}

/// Returns whether it addresses someone.
pub(super) fn has_second_person(text: &str) -> bool {
    const WORDS: [&str; 27] = [
        "you", "your", "yours", "you're", "you've", "you’re", "you’ve", "du", "dich", "dein",
        "deine", "ihnen", "tu", "toi", "vous", "votre", "vos", "tú", "usted", "você", "lei", "вы",
        "ты", "вас", "אתה", "أنت", "आप",
    ];
    let text = &text[..text.floor_char_boundary(MAX_SPEECH_BYTES)];
    let mut words = text.split(|c: char| c.is_whitespace() || ".,;:!?…*_()\"".contains(c));
    words.any(|word| WORDS.contains(&word.to_lowercase().as_str()))
        || ["你", "您", "あなた", "당신"].iter().any(|word| text.contains(word))
}

/// Returns whether a word refers to the speaker.
fn is_i(word: &str) -> bool {
    let word = word.split(['\'', '’']).next().unwrap_or_default();
    word == "I" || SPEAKERS.contains(&word.to_lowercase().as_str())
}

const SPEAKERS: [&str; 28] = [
    "εγώ", "μου", "мной", "저는", "my", "me", "myself", "ich", "mir", "mich", "je", "j", "moi",
    "yo", "conmigo", "eu", "comigo", "ik", "jag", "jeg", "minä", "я", "мне", "меня", "ben", "אני",
    "أنا", "मैं",
];

const OPENERS: [&str; 48] = [
    "ναι", "όχι", "네", "так", "yes", "yeah", "yep", "yup", "no", "nope", "okay", "ok", "well",
    "oh", "ah", "hmm", "right", "sure", "so", "exactly", "absolutely", "indeed", "ja", "nein",
    "doch", "genau", "oui", "non", "sí", "si", "sim", "não", "nee", "nej", "да", "нет", "ну",
    "tak", "nie", "evet", "hayır", "نعم", "لا", "כן", "לא", "हाँ", "नहीं", "voilà",
];

const GREETINGS: [&str; 37] = [
    "γεια", "ευχαριστώ", "תודה", "hello", "hi", "hey", "welcome", "thanks", "thank", "goodbye",
    "bye", "cheers", "hallo", "guten", "danke", "willkommen", "tschüss", "moin", "bonjour",
    "salut", "merci", "bienvenue", "hola", "gracias", "bienvenidos", "adiós", "olá", "obrigado",
    "obrigada", "ciao", "grazie", "benvenuti", "привет", "здравствуйте", "спасибо", "مرحبا",
    "नमस्ते",
];

/// Words in scripts that do not separate words.
const CHARACTERS: [&str; 23] = [
    "私", "어요.", "아요.", "나는 ", "제가 ", "我", "你", "您", "吗", "嗎", "呢", "谢谢", "謝謝",
    "こんにちは", "ありがとう", "はい、", "いいえ", "です。", "ですね", "ますか", "안녕",
    "감사합니다", "สวัสดี",
];

#[cfg(test)]
mod tests {
    use super::is_spoken;

    #[test]
    fn speech_is_distinguished_from_prose() {
        for text in [
            "Did you see the heron?", "Yes.", "Hi.", "I did.", "Hello Ada", "So I said no.",
            "Ja, genau.", "你好", "Видел цаплю?", "Я тоже.", "It's \"why?\" to me.",
        ] {
            assert!(is_spoken(text), "{text}");
        }
        for written in [
            "a grey bird.", "yes", "no", "A tall grass.", "npm i x; npm start",
            "https://pond.example/?a=b", "\"I love it!\"", "3.5", "", "Run the command.",
        ] {
            assert!(!is_spoken(written), "{written}");
        }
    }
}
