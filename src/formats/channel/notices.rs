//! Who is named in what a phone or a program wrote itself: `Ada added Bela and Cleo`, in several languages.
//! Some write marks around each name.

use std::cell::Cell;

/// The marks around a name.
const ISOLATES: [char; 2] = ['\u{2068}', '\u{2069}'];
/// Marks that nobody sees.
const MARKS: [char; 4] = ['\u{200e}', '\u{200f}', '\u{202a}', '\u{202c}'];

/// Words behind who did something, in front of those to whom it was done.
const TO_SOMEBODY: [&str; 22] = [
    " added ",
    " removed ",
    " invited ",
    " hat ",
    " añadió a ",
    " agregó a ",
    " eliminó a ",
    " expulsó a ",
    " a ajouté ",
    " a retiré ",
    " a supprimé ",
    " a exclu ",
    " adicionou ",
    " removeu ",
    " ha aggiunto ",
    " ha rimosso ",
    " heeft ",
    " dodał(a) ",
    " usunął(ęła) ",
    " добавил(-а) ",
    " удалил(-а) ",
    " ekledi ",
];
/// Words behind those who did something.
const BY_SOMEBODY: [&str; 62] = [
    " left",
    " joined",
    " created ",
    " changed ",
    " deleted this group",
    " pinned ",
    " turned ",
    " started ",
    " updated ",
    " requested ",
    " reset ",
    " was added",
    " was removed",
    " were added",
    " were removed",
    " is now ",
    " is a contact",
    " accepted",
    " renamed ",
    " unsent ",
    " kept ",
    " performed ",
    " wurde hinzugefügt",
    " wurde entfernt",
    " ist beigetreten",
    " ist der Gruppe",
    " ist dieser Gruppe",
    " ist jetzt",
    " wurden hinzugefügt",
    " salió",
    " se unió",
    " creó ",
    " cambió ",
    " actualizó ",
    " fijó ",
    " abandonó",
    " a quitté",
    " est parti",
    " a rejoint",
    " a créé",
    " a modifié",
    " a changé",
    " a été ajouté",
    " a épinglé",
    " s’est joint",
    " s'est joint",
    " saiu",
    " entrou",
    " criou ",
    " mudou ",
    " alterou ",
    " fixou ",
    " ha abbandonato",
    " è uscit",
    " si è unit",
    " ha creato",
    " ha cambiato",
    " ha modificato",
    " is toegetreden",
    " opuścił",
    " вышел",
    " ayrıldı",
];
/// Words in front of who did it.
const ADMINS: [&str; 8] = [
    "by admin ",
    "von Admin ",
    "por el administrador ",
    "por el admin. ",
    "par l’admin ",
    "pelo admin ",
    "dall’amministratore ",
    "door beheerder ",
];
/// Words behind those to whom something was done, in languages in which that stands at the end.
const DONE: [&str; 9] = [
    " hinzugefügt",
    " entfernt",
    " gelöscht",
    " die ",
    " den ",
    " das ",
    " diese",
    " toegevoegd",
    " verwijderd",
];
/// Words behind the last name, beside those.
const ENDS: [&str; 13] = [
    " to the ",
    " to this ",
    " from the ",
    " from this ",
    " using ",
    " via ",
    " de groep",
    " al grupo",
    " del grupo",
    " au groupe",
    " du groupe",
    " ao grupo",
    " al gruppo",
];
/// Words for the owner of the phone.
const OWNERS: [&str; 15] = [
    "you", "du", "tú", "usted", "vous", "você", "tu", "hai", "jij", "je", "u", "ty",
    "вы", "siz", "sie",
];
/// Small words inside names.
pub(in crate::formats) const PARTICLES: [&str; 16] = [
    "da", "das", "de", "del", "della", "den", "der", "di", "do", "dos", "du", "e", "la",
    "van", "von", "bin",
];
/// The most characters of a name.
const MAX_CHARS: usize = 80;

/// Hands over each name in what a phone wrote itself.
pub(in crate::formats) fn each_named(text: &str, take: &mut dyn FnMut(&str)) {
    let count = Cell::new(0);
    let mut name = |text: &str| {
        let name = text.trim_matches(|c: char| {
            c.is_whitespace() || MARKS.contains(&c) || ISOLATES.contains(&c) || c == '.'
        });
        let name = without_tilde(name);
        let is_owner = OWNERS.contains(&name.to_lowercase().as_str());
        let is_name = name.chars().any(char::is_alphabetic)
            && name.chars().count() <= MAX_CHARS
            && !name.contains(['"', '“', '”', '„', '«', '»', ':']);
        if is_name && !is_owner {
            take(name);
        }
        count.set(count.get() + usize::from(is_name));
    };
    isolated(text, &mut name);
    let bare: String = text
        .chars()
        .filter(|c| !MARKS.contains(c) && !ISOLATES.contains(c))
        .map(|c| if matches!(c, '\u{a0}' | '\u{202f}') { ' ' } else { c })
        .collect();
    let line = bare.lines().next().unwrap_or_default().trim();
    for words in TO_SOMEBODY {
        if let Some((by, rest)) = line.split_once(words) {
            list(by, &mut name);
            let is_list = ![" hat ", " heeft "].contains(&words)
                || DONE.iter().any(|end| rest.contains(end));
            if is_list {
                list(rest, &mut name);
            }
        }
    }
    let by = BY_SOMEBODY.iter().filter_map(|words| Some(line.split_once(words)?.0));
    // The first words decide: others may stand in what was changed.
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

/// Hands over those to whom somebody did something in the words of a program: `Ada added Bela to the group.`,
/// which begins with the first name of `by`.
pub(in crate::formats) fn each_other(text: &str, by: &str, take: &mut dyn FnMut(&str)) {
    let line = text.lines().next().unwrap_or_default().trim();
    let first = by.split_whitespace().next().unwrap_or_default();
    let is_short = line.chars().count() <= 4 * MAX_CHARS;
    let rest = [by, first, "You"].into_iter().find_map(|by| line.strip_prefix(by));
    let rest = rest.filter(|rest| is_short && rest.starts_with(' '));
    let others = rest
        .and_then(|rest| TO_SOMEBODY.iter().find_map(|words| rest.strip_prefix(words)));
    if let Some(others) = others {
        list(others.trim_end_matches('.'), &mut |name| take(name.trim()));
    }
}

/// Returns a name without the mark of somebody who is not among the contacts: `~ Ada`.
pub(in crate::formats) fn without_tilde(name: &str) -> &str {
    name.strip_prefix('~')
        .map_or(name, |bare| bare.trim_start_matches([' ', '\u{a0}', '\u{202f}']))
}

/// Returns whether a text says what somebody did in a group.
pub(in crate::formats) fn is_about_group(text: &str) -> bool {
    TO_SOMEBODY.iter().chain(&BY_SOMEBODY).any(|words| text.contains(words))
}

/// Hands over what stands between the marks around names.
pub(in crate::formats) fn isolated(text: &str, take: &mut dyn FnMut(&str)) {
    let parts = text.split(ISOLATES[0]).skip(1);
    parts
        .filter_map(|part| part.split_once(ISOLATES[1]))
        .for_each(|(name, _)| take(name));
}

/// Hands over each name of a list: `Ada, Bela and Cleo`. Several words of which the first one has a small
/// letter are none, such as `this group's icon`.
fn list(text: &str, take: &mut dyn FnMut(&str)) {
    let ends = ENDS.iter().chain(&DONE).filter_map(|end| text.find(end));
    let text = &text[..ends.min().unwrap_or(text.len())];
    let mut take = |part: &str| {
        let part = part.trim();
        if !(part.starts_with(char::is_lowercase) && part.contains(' ')) {
            take(part);
        }
    };
    let ands =
        [" and ", " und ", " y ", " et ", " e ", " en ", " & ", " i ", " и ", " ve "];
    for part in text.split(", ") {
        take(part);
        for and in ands {
            if let Some((one, two)) = part.split_once(and) {
                [one, two].into_iter().for_each(&mut take);
            }
        }
    }
}

/// Hands over what looks like a name in a language that is not known here: two words or more with capital
/// letters.
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
        let is_part = bare.starts_with(char::is_uppercase)
            || !run.is_empty() && PARTICLES.contains(&bare);
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
            (
                "Ada Bell added Bela and Cleo Dorn",
                &["Ada Bell", "Bela and Cleo Dorn", "Bela", "Cleo Dorn"][..],
            ),
            ("\u{200e}You removed ~\u{a0}Bela", &["Bela"]),
            ("Ada hat Bela hinzugefügt.", &["Ada", "Bela"]),
            ("Ada hat die Gruppe „Mill“ erstellt.", &["Ada"]),
            ("This message was deleted by admin Bela.", &["Bela"]),
            ("\u{2068}Ada\u{2069} forlot gruppen", &["Ada"]),
            ("Ada Bell forlot gruppen", &["Ada Bell"]),
            ("Missed voice call", &[]),
            ("Maria da Luz Reis", &["Maria da Luz Reis"]),
        ] {
            let mut found = Vec::new();
            each_named(text, &mut |name| found.push(name.to_owned()));
            assert_eq!(found, names, "{text}");
        }
    }
}
