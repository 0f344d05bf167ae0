//! Compares how the script of the search page and the program split words and read queries, on random
//! texts in the languages of the interface and in scripts of every kind.
//!
//! A failure prints its seed; `DRIFT_SEED=… DRIFT_TEXTS=…` sets the seed and the number of texts.

use std::fs;
use std::process::Command;

use convo_site::locale;
use convo_site::text::edit_distance;
use serde_json::{Value, json};

use crate::search_parity::{query_of, random, terms_of};
use crate::support::project;

/// Words of a language for random texts.
const LANGUAGES: [(&str, &str); 10] = [
    (
        "ar",
        "كتاب كُتُب يكتبون المدرسة المدارس اللغة العربية مرحبا بالعالم ٢٠٢٥ مُحَمَّد شمـــس آلة الآن لأن ؟نعم، گچ",
    ),
    (
        "de",
        "Häuser Straße STRASSE Lehrern schönsten Katzen gingen läuft Füße Übergrößen Esel eines wachſam Öl „Wort“",
    ),
    (
        "en",
        "searching studied running don't O'Brien’s caches flies bosses used agreed snake_case C++ F# foo.bar \
         __init__ e.g. re-use agrees bed sing bus tries 3.14 v1.2.3 naïve",
    ),
    (
        "es",
        "corriendo niños canción buscábamos pingüino ¿dónde? hablaron mañana «año» llamada Ñandú comieron",
    ),
    (
        "fr",
        "l'avion qu'il œuvre cherchaient élèves aujourd'hui jusqu’à français garçons L’Été D'ŒUF n'est-ce Noël",
    ),
    ("it", "l'amico parlando città perché andare belle studiata"),
    (
        "ja",
        "日本語の検索エンジン カタカナ ｶﾞｷﾞｽ ひらがな 人々 〆切 東京タワー 2025年 ㍻ が か゚ ー 𠮟る",
    ),
    ("nl", "zoeken gezochte huizen 's-avonds ĳsje één"),
    ("pt", "procurando ações não falaram pão coração"),
    ("zh", "搜索引擎 汉字 漢字 你好，世界 二〇二五年 𠮷野家 ，。！ ㄅㄆㄇ ⼀⺀ 〡〢"),
];

/// Words and letters of other scripts, and characters that are easily confused.
const OTHERS: &str = "Σίσυφος ΣΑΣ ςα Ёжик ЩУКА שָׁלוֹם किताब हिन्दी ภาษาไทย น้ำ ພາສາລາວ ភាសាខ្មែរ မြန်မာ 한국어 한국 한 \
    བོད་ཡིག አማርኛ ქართული ᲥᲐᲠᲗᲣᲚᲘ Հայերեն և 𐐔𐐯𐑅 𝔛𝟙𝕒 Ａｂ１ ﬁﬀ ①½ǅĳŉ İı K Å Å ẞ ſ ŀ ˚ ª º ² ₂ Ⅷ ⅷ 👩\u{200d}💻 ❤\u{fe0f} \
    e\u{301}\u{323} a\u{308}\u{304} \u{301} \u{ad} \u{feff} \u{85} \u{2028} \u{200b} \u{a0} \u{3000} _ __ . .. ' ’ ‘ + ++ # ## - * : \" “ ” /";

/// Endings of words.
const ENDINGS: [&str; 36] = [
    "", "s", "es", "ies", "sses", "ss", "us", "is", "ied", "ed", "eed", "tted", "lled", "ing",
    "nning", "zzing", "y", "ly", "e", "ee", "ern", "em", "en", "er", "ent", "ait", "ees", "ez",
    "x", "ando", "iendo", "aron", "ido", "os", "ire", "ata",
];

/// Operators between the words of a query.
const OPERATORS: [&str; 22] = [
    " ", " ", " ", "\"", "-", " -", "*", "* ", ":", " speaker:", " tag:\"", "\" ", " lang:",
    "before:2025", " after:2024-03 ", " before:2024-02-3", " has:code", "HAS:Tool", "foo:",
    "Model:", "“", "» ",
];

struct Texts<N: FnMut(usize) -> usize> {
    next: N,
    others: Vec<&'static str>,
}

impl<N: FnMut(usize) -> usize> Texts<N> {
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[(self.next)(from.len())]
    }

    /// A letter that most programs know, of scripts that were added to Unicode long ago.
    fn letter(&mut self) -> char {
        let (start, end) = self.pick(&[
            (0x20_u32, 0x24F),
            (0x250, 0x58F),
            (0x591, 0x6FF),
            (0x900, 0xDFF),
            (0xE01, 0xFFF),
            (0x1000, 0x11FF),
            (0x1E00, 0x206F),
            (0x2100, 0x218B),
            (0x2460, 0x24FF),
            (0x2E80, 0x33FF),
            (0x4E00, 0x9FA5),
            (0xAC00, 0xD7A3),
            (0xF900, 0xFAFF),
            (0xFB00, 0xFFEF),
            (0x1_0400, 0x1_044F),
            (0x1_D400, 0x1_D7FF),
            (0x2_0000, 0x2_A6D6),
        ]);
        let offset = (self.next)((end - start + 1) as usize) as u32;
        char::from_u32(start + offset).unwrap_or('x')
    }

    /// An invented word with an ending that stemmers know.
    fn inflected(&mut self) -> String {
        let letters: Vec<char> = "aeiouystrndlmgzfpcé".chars().collect();
        let stem: String =
            (0..1 + (self.next)(7)).map(|_| letters[(self.next)(letters.len())]).collect();
        stem + self.pick(&ENDINGS)
    }

    fn word(&mut self, words: &[&'static str]) -> String {
        let word = match (self.next)(8) {
            0 => self.pick(&self.others.clone()),
            1 => return self.inflected(),
            _ => self.pick(words),
        };
        match (self.next)(12) {
            0 => word.to_uppercase(),
            1 => word.chars().take(1 + (self.next)(4)).collect(),
            2 => format!("{word}{}", self.letter()),
            3 => format!("{}{word}", self.letter()),
            4 => {
                let other = self.pick(words);
                let joiner = self.pick(&["_", ".", "'", "’", "", "-", "__", "+", "..", "\u{301}"]);
                format!("{word}{joiner}{other}")
            }
            5 => format!(
                "{word}{}",
                self.pick(&["++", "#", "s", "ing", "ed", "es", "en", "ando", "'s"])
            ),
            6 => word.repeat(1 + (self.next)(20)),
            _ => word.to_owned(),
        }
    }

    fn text(&mut self, words: &[&'static str], separators: &[&str]) -> String {
        let mut text = String::new();
        for _ in 0..1 + (self.next)(9) {
            text.push_str(&self.word(words));
            text.push_str(self.pick(separators));
        }
        text
    }
}

/// The results of the program for random texts.
fn expectations(seed: u32, count: usize) -> Value {
    let mut texts = Texts { next: random(seed), others: OTHERS.split_whitespace().collect() };
    let (mut rows, mut queries, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..count {
        let (language, words) = texts.pick(&LANGUAGES);
        let words: Vec<&str> = words.split_whitespace().collect();
        let text = texts.text(&words, &[" ", " ", ", ", "", "\n", "\u{a0}", "。", "، "]);
        let mut row = json!({"text": text, "language": language});
        row["terms"] = terms_of(&text, language);
        rows.push(row);
        let query = texts.text(&words, &OPERATORS);
        let languages = [language, texts.pick(&LANGUAGES).0];
        let mut row = query_of(&query, &languages);
        row["languages"] = json!(languages);
        queries.push(row);
        let (a, b) = (texts.word(&words), texts.word(&words));
        // The script counts UTF-16; only letters are compared there.
        if [&a, &b].iter().all(|word| word.chars().all(|c| c.len_utf16() == 1)) {
            pairs.push(json!([a, b, edit_distance(&a, &b)]));
        }
    }
    // Every character between two letters, except in blocks of similar characters.
    let alike = [0x3400..0xA000, 0xAC00..0xD800, 0xE000..0xF900, 0x1_7000..0x1_8D00];
    let characters = (0x20..0x2_0000)
        .filter(|code| !alike.iter().any(|block| block.contains(code)))
        .filter_map(char::from_u32);
    for c in characters {
        let text = format!("a{c}b");
        rows.push(json!({"text": text, "language": "", "terms": terms_of(&text, "")}));
    }
    let messages = json!({"search": locale::english().section("search")});
    json!({"messages": messages, "texts": rows, "queries": queries, "pairs": pairs})
}

fn number(name: &str, default: u32) -> u32 {
    std::env::var(name).map_or(default, |value| value.parse().expect("a number"))
}

#[test]
fn the_script_reads_random_texts_like_the_program() {
    let count = number("DRIFT_TEXTS", 6000) as usize;
    let seed = number("DRIFT_SEED", 20_251_023);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("drift.json");
    fs::write(&file, expectations(seed, count).to_string()).expect("written");
    let run = Command::new("node")
        .arg(project().join("tests/js/drift.js"))
        .arg(&file)
        .output()
        .expect("`node` is needed; tests/run installs it");
    let output = String::from_utf8_lossy(&run.stdout).into_owned();
    let trouble = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "DRIFT_SEED={seed}\n{output}{trouble}");
    assert!(output.contains(&format!("{count} queries")), "{output}");
}
