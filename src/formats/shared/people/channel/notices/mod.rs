//! The names in system messages such as `Ada added Bela and Cleo`, in several languages. Some apps
//! put direction marks around each name.

mod east_asian;
mod words;

use std::cell::Cell;

pub(crate) use self::words::PARTICLES;
use self::words::{
    ADMINS, AFTER_SOMEBODY, ANDS, BEFORE_SOMEBODY, BY_SOMEBODY, DONE, ENDS, ENGLISH, OWNER_DID,
    OWNER_DID_ENDS, OWNER_TO_SOMEBODY, OWNERS, OWNERS_OR_COMMON_NAMES, OWNERS_OR_NAMES, TO_OWNER,
    TO_OWNER_ENDS, TO_SOMEBODY,
};
use convo_base::text::is_direction_mark;

/// The maximum length of a name. Characters.
const MAX_CHARS: usize = 80;

/// Calls `take` with each name in a system message.
pub(crate) fn each_named(text: &str, take: &mut dyn FnMut(&str)) {
    let count = Cell::new(0);
    let bare: String = text
        .chars()
        .filter(|c| !is_direction_mark(*c))
        .map(|c| if matches!(c, '\u{a0}' | '\u{202f}') { ' ' } else { c })
        .collect();
    let line = bare.lines().next().unwrap_or_default().trim();
    let mut name = |text: &str| {
        let name = text.trim_matches(|c: char| {
            c.is_whitespace() || is_direction_mark(c) || ['.', '。'].contains(&c)
        });
        let name = without_tilde(name);
        let is_name = name.chars().any(char::is_alphabetic)
            && name.chars().count() <= MAX_CHARS
            && !name.contains(['"', '“', '”', '„', '«', '»', ':']);
        if is_name && !is_owner_in(line, name) {
            take(name);
        }
        count.set(count.get() + usize::from(is_name));
    };
    isolated(text, &mut name);
    if east_asian::each_named(line, &mut name) {
        return;
    }
    each_actor_and_target(line, &mut name);
    let first = text.lines().next().unwrap_or_default().trim_matches(is_direction_mark);
    let before = BEFORE_SOMEBODY.iter().find_map(|words| first.strip_prefix(words));
    // A mark separates the actor from the person concerned.
    before
        .iter()
        .for_each(|rest| rest.split(is_direction_mark).for_each(|one| list(one, &mut name)));
    let by = BY_SOMEBODY.iter().filter_map(|words| Some(line.split_once(words)?.0));
    // The first match decides; later ones may be part of a changed text.
    if let Some(by) = by.min_by_key(|by| by.len()) {
        list(by, &mut name);
    }
    ADMINS
        .iter()
        .filter_map(|words| line.split_once(words))
        .for_each(|(_, rest)| list(rest, &mut name));
    if count.get() == 0 {
        capitalized(line, &mut name);
    }
}

/// Calls `name` with the actor and the people concerned.
fn each_actor_and_target(line: &str, name: &mut dyn FnMut(&str)) {
    // In languages with the verb at the end, the words before the names do not decide alone.
    let is_done = |words: &str, rest: &str| {
        ![" hat ", " heeft ", "Du hast ", "Sie haben ", "Je hebt ", "Jij hebt ", "U hebt "]
            .contains(&words)
            || DONE.iter().any(|end| rest.contains(end))
    };
    for words in TO_SOMEBODY {
        if let Some((by, rest)) = line.split_once(words) {
            let by = TO_OWNER.iter().find_map(|owner| by.strip_suffix(owner)).unwrap_or(by);
            list(by, name);
            if is_done(words, rest) {
                list(rest, name);
            }
        }
    }
    for words in OWNER_TO_SOMEBODY {
        if let Some(rest) = line.strip_prefix(words).filter(|rest| is_done(words, rest)) {
            list(rest, name);
        }
    }
    let before = AFTER_SOMEBODY.iter().find_map(|words| line.split_once(words));
    before.iter().for_each(|(all, _)| list(all, name));
}

/// Returns whether a name in a system message is a word for the owner of the phone.
fn is_owner_in(line: &str, name: &str) -> bool {
    let lower = name.to_lowercase();
    let is = |words: &[&str]| words.contains(&lower.as_str());
    let is_english = || ENGLISH.iter().any(|words| line.contains(words));
    let bare = line.trim_end_matches('.');
    let is_about_owner =
        || is_of_owner(line) || TO_OWNER_ENDS.iter().any(|end| bare.ends_with(end));
    is_owner(name)
        || is(&OWNERS_OR_NAMES) && !is_english()
        || is(&OWNERS_OR_COMMON_NAMES) && is_about_owner()
}

/// Returns whether a name is a word for the owner of a phone in some language, and never a real
/// name.
pub(crate) fn is_owner(name: &str) -> bool {
    OWNERS.contains(&name.to_lowercase().as_str())
}

/// Returns whether a name is a word for the owner of a phone in one language, but may be a real
/// name.
pub(crate) fn may_be_owner(name: &str) -> bool {
    let name = name.to_lowercase();
    OWNERS_OR_NAMES.iter().chain(&OWNERS_OR_COMMON_NAMES).any(|word| *word == name)
}

/// Returns whether a system message describes what the owner of the phone did: `Du hast Ada
/// hinzugefügt.`
pub(crate) fn is_of_owner(text: &str) -> bool {
    let text = text.trim_matches(|c: char| c.is_whitespace() || is_direction_mark(c));
    let mut words = text.lines().next().unwrap_or_default().split_whitespace();
    let first = words.next().unwrap_or_default().to_lowercase();
    let begins = OWNER_DID.iter().chain(&OWNER_TO_SOMEBODY);
    begins.into_iter().any(|words| text.starts_with(words))
        || is_owner(&first)
        || OWNER_DID_ENDS.iter().any(|end| first.ends_with(end))
}

/// Calls `take` with the people concerned in a system message about `by`, which begins with their
/// full name, their first name or `You`: `Ada added Bela to the group.`
pub(crate) fn each_other(text: &str, by: &str, take: &mut dyn FnMut(&str)) {
    let line = text.lines().next().unwrap_or_default().trim();
    let first = by.split_whitespace().next().unwrap_or_default();
    let is_short = line.chars().count() <= 4 * MAX_CHARS;
    let rest = [by, first, "You"].into_iter().find_map(|by| line.strip_prefix(by));
    let rest = rest.filter(|rest| is_short && rest.starts_with(' '));
    let others =
        rest.and_then(|rest| TO_SOMEBODY.iter().find_map(|words| rest.strip_prefix(words)));
    if let Some(others) = others {
        list(others.trim_end_matches('.'), &mut |name| take(name.trim()));
    }
}

/// Returns a name without the mark for people who are not in the contacts: `~ Ada`.
pub(crate) fn without_tilde(name: &str) -> &str {
    name.strip_prefix('~').map_or(name, |bare| bare.trim_start_matches([' ', '\u{a0}', '\u{202f}']))
}

/// Returns whether a text describes an event of a group.
pub(crate) fn is_about_group(text: &str) -> bool {
    TO_SOMEBODY.iter().chain(&BY_SOMEBODY).any(|words| text.contains(words))
}

/// Calls `take` with each text between the marks around names.
pub(crate) fn isolated(text: &str, take: &mut dyn FnMut(&str)) {
    let parts = text.split('\u{2068}').skip(1);
    parts.filter_map(|part| part.split_once('\u{2069}')).for_each(|(name, _)| take(name));
}

/// Calls `take` with each name of a list: `Ada, Bela, and Cleo`. Skips phrases that begin in lower
/// case, such as `this group's icon`, and counts such as `4 more people`.
fn list(text: &str, take: &mut dyn FnMut(&str)) {
    let ends = ENDS.iter().chain(&DONE).filter_map(|end| text.find(end));
    let text = &text[..ends.min().unwrap_or(text.len())];
    let mut each = |name: &str, is_behind_and: bool| {
        let is_words = name.starts_with(char::is_lowercase)
            && (name.contains(' ') || name.starts_with("l'") || name.starts_with("l’"));
        let is_count = is_behind_and && is_number_of_others(name);
        if !is_words && !is_count {
            take(name);
        }
    };
    text.split(", ").for_each(|part| each_between_ands(part, &mut each));
}

/// Calls `take` with each text between words such as `and`, and whether such a word precedes it.
fn each_between_ands(text: &str, take: &mut dyn FnMut(&str, bool)) {
    let mut names = vec![String::new()];
    for word in text.split_whitespace() {
        match names.last_mut() {
            Some(name) if !ANDS.contains(&word) => {
                if !name.is_empty() {
                    name.push(' ');
                }
                name.push_str(word);
            }
            _ => names.push(String::new()),
        }
    }
    let names = names.iter().enumerate().filter(|(_, name)| !name.is_empty());
    names.for_each(|(place, name)| take(name, place > 0));
}

/// Returns whether a part of a list is a number of unnamed people: `4 others`.
fn is_number_of_others(part: &str) -> bool {
    let words = part.trim_start_matches(char::is_numeric);
    words.len() < part.len()
        && words.strip_prefix(' ').is_some_and(|words| !words.starts_with(char::is_uppercase))
}

/// Calls `take` with possible names in an unknown language: two or more capitalised words.
fn capitalized(line: &str, take: &mut dyn FnMut(&str)) {
    let mut run: Vec<&str> = Vec::new();
    let mut end = |run: &mut Vec<&str>| {
        while run.last().is_some_and(|word| PARTICLES.contains(word)) {
            run.pop();
        }
        if run.len() > 1 {
            take(&run.join(" "));
        }
        run.clear();
    };
    for word in line.split_whitespace() {
        let bare = word.trim_matches([',', '.', ':', ';', '~']);
        let is_part =
            bare.starts_with(char::is_uppercase) || !run.is_empty() && PARTICLES.contains(&bare);
        if !is_part {
            end(&mut run);
            continue;
        }
        run.push(bare);
        if word.ends_with([',', '.', ':', ';']) {
            end(&mut run);
        }
    }
    end(&mut run);
}

#[cfg(test)]
mod tests {
    use super::each_named;

    #[test]
    fn phones_name_people() {
        for (text, names) in [
            ("Ada Bell added Bela and Cleo Dorn", &["Ada Bell", "Bela", "Cleo Dorn"][..]),
            ("\u{200e}You removed ~\u{a0}Bela", &["Bela"]),
            ("Ada hat Bela hinzugefügt.", &["Ada", "Bela"]),
            ("Ada hat die Gruppe „Mill“ erstellt.", &["Ada"]),
            ("This message was deleted by admin Bela.", &["Bela"]),
            ("\u{2068}Ada\u{2069} forlot gruppen", &["Ada"]),
            ("Ada Bell forlot gruppen", &["Ada Bell"]),
            ("Ada added Bela, Cleo, and Dora Lind", &["Ada", "Bela", "Cleo", "Dora Lind"]),
            ("You added Bela, Cleo, and 4 others. Tap to see all.", &["Bela", "Cleo"]),
            (
                "Ada hat ~\u{a0}Bela, ~\u{a0}Cleo und 4 weitere Personen hinzugefügt.",
                &["Ada", "Bela", "Cleo"],
            ),
            ("Ada añadió a Bela y 4 más", &["Ada", "Bela"]),
            ("Ada a retiré Bela & Cleo", &["Ada", "Bela", "Cleo"]),
            ("Ada, Bela ve Cleo kişilerini ekledi", &["Ada", "Bela", "Cleo"]),
            ("أضاف Ada\u{200f} Bela", &["Ada", "Bela"]),
            ("Ada menambahkan Bela dan Cleo", &["Ada", "Bela", "Cleo"]),
            ("\u{200f}Ada הוסיף/ה את Bela", &["Ada", "Bela"]),
            ("Bela יצא/ה", &["Bela"]),
            ("Missed voice call", &[]),
            ("Maria da Luz Reis", &["Maria da Luz Reis"]),
            ("Ada has left this chatroom.", &["Ada"]),
            ("Ada unsent a message.", &["Ada"]),
            ("田中さんが参加しました。", &["田中"]),
            ("Adaがグループを作成しました。", &["Ada"]),
            ("Adaが佐藤、山田をグループに追加しました。", &["Ada", "佐藤", "山田"]),
            ("小美已加入群組", &["小美"]),
            ("小美已將阿明新增至群組", &["小美", "阿明"]),
            ("홍길동님이 들어왔습니다.", &["홍길동"]),
            ("홍길동님이 이영희님과 김철수님을 초대했습니다.", &["홍길동", "이영희", "김철수"]),
        ] {
            let mut found = Vec::new();
            each_named(text, &mut |name| found.push(name.to_owned()));
            assert_eq!(found, names, "{text}");
        }
    }
    #[test]
    fn words_for_the_owner_of_a_phone_are_not_names() {
        for (text, names) in [
            ("Ada hat dich hinzugefügt.", &["Ada"][..]),
            ("Du hast Bela hinzugefügt.", &["Bela"]),
            ("Du hast die Gruppenbeschreibung geändert.", &[]),
            ("Ada te añadió", &["Ada"]),
            ("Añadiste a Bela", &["Bela"]),
            ("Ada vous a ajouté.", &["Ada"]),
            ("Vous avez ajouté Bela", &["Bela"]),
            ("Vous avez supprimé l’image du groupe", &[]),
            ("Ada ti ha aggiunto", &["Ada"]),
            ("Hai aggiunto Bela", &["Bela"]),
            ("Hai rimosso l'immagine del gruppo", &[]),
            ("Ada heeft je toegevoegd", &["Ada"]),
            ("Je hebt Bela toegevoegd", &["Bela"]),
            ("Ada adicionou você", &["Ada"]),
            ("Você adicionou Bela", &["Bela"]),
            ("Ada sizi ekledi", &["Ada"]),
            ("Bela kişisini eklediniz", &["Bela"]),
            ("Ada добавил(-а) вас", &["Ada"]),
            ("Вы добавили Bela", &["Bela"]),
            ("Ada dodał(a) Ciebie", &["Ada"]),
            ("Dodano Bela", &["Bela"]),
            ("הוספת את Bela", &["Bela"]),
            ("لقد أضفت Bela", &["Bela"]),
            ("Anda menambahkan Bela", &["Bela"]),
            ("Ada menambahkan Anda", &["Ada"]),
            ("Ada added Ty", &["Ada", "Ty"]),
            ("Ty hat die Gruppe verlassen.", &["Ty"]),
            ("You joined the group.", &[]),
            ("您已將阿明新增至群組", &["阿明"]),
            ("회원님이 이영희님을 초대했습니다.", &["이영희"]),
        ] {
            let mut found = Vec::new();
            each_named(text, &mut |name| found.push(name.to_owned()));
            assert_eq!(found, names, "{text}");
        }
    }
}
