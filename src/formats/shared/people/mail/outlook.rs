//! Quoted mails in the style of Outlook and similar programs: no quotation marks, but a rule and
//! some header fields.

use super::lines::Line;

/// The text between the dashes above a quoted mail in Outlook.
const ORIGINAL: [&str; 16] = [
    "original message",
    "original appointment",
    "ursprüngliche nachricht",
    "message d'origine",
    "message d’origine",
    "mensaje original",
    "mensagem original",
    "messaggio originale",
    "oorspronkelijk bericht",
    "oorspronkelijke bericht",
    "oprindelig meddelelse",
    "ursprungligt meddelande",
    "opprinnelig melding",
    "wiadomość oryginalna",
    "исходное сообщение",
    "邮件原件",
];
/// The header fields above a quoted mail, in order: sender, date, recipients and subject.
const FIELDS: [&[&str]; 4] = [
    &["from:", "von:", "de:", "da:", "van:", "från:", "fra:", "od:", "от:", "发件人:", "差出人:"],
    &[
        "sent:", "date:", "gesendet:", "datum:", "envoyé:", "envoyé :", "enviado:", "enviado el:",
        "enviada em:", "fecha:", "data:", "inviato:", "verzonden:", "skickat:", "sendt:",
        "wysłano:", "отправлено:", "дата:", "发送时间:", "送信日時:",
    ],
    &[
        "to:", "an:", "à:", "à :", "para:", "a:", "aan:", "till:", "til:", "do:", "кому:",
        "收件人:", "宛先:",
    ],
    &[
        "subject:", "betreff:", "objet:", "objet :", "asunto:", "assunto:", "oggetto:",
        "onderwerp:", "ämne:", "emne:", "temat:", "тема:", "主题:", "件名:",
    ],
];

/// Returns whether these lines begin a mail quoted in the style of Outlook.
pub(super) fn is_original(lines: &[Line]) -> bool {
    let Some(first) = lines.first().filter(|line| line.depth == 0) else { return false };
    let text = plain(&first.text);
    if text.is_empty() {
        return false;
    }
    if text.starts_with("-----") {
        let words = text.trim_matches(['-', ' ']).to_lowercase();
        return ORIGINAL.contains(&words.as_str());
    }
    let is_rule = is_rule(first);
    let some = lines.iter().skip(usize::from(is_rule)).filter(|line| !line.text.trim().is_empty());
    // The fields of a quoted mail are consecutive.
    let mut fields = FIELDS.iter().peekable();
    let mut is_first = true;
    let mut found = 0;
    for line in some.take(6) {
        let text = plain(&line.text).to_lowercase();
        let is_of = |names: &&[&str]| names.iter().any(|name| text.starts_with(name));
        if is_first && !fields.peek().is_some_and(|names| is_of(names)) {
            return false;
        }
        is_first = false;
        if fields.peek().is_some_and(|names| is_of(names)) {
            fields.next();
            found += 1;
        }
    }
    found >= 3
}

/// Returns the name of the sender of such a mail.
pub(super) fn sender(lines: &[Line]) -> Option<String> {
    if !is_original(lines) {
        return None;
    }
    let some = lines.iter().filter(|line| !line.text.trim().is_empty()).take(3);
    let of = |line: &Line| {
        let text = plain(&line.text);
        let (field, value) = text.split_once(':')?;
        let field = format!("{}:", field.trim_end().to_lowercase());
        FIELDS[0].contains(&field.as_str()).then(|| value.to_owned())
    };
    let value = some.filter_map(of).next()?;
    let name = value.split(['<', '[', '(']).next().unwrap_or_default();
    let name = name.trim_matches(['\\', '"', '\'', ' ']);
    let is_name = name.contains(char::is_alphabetic) && !name.contains('@');
    is_name.then(|| name.to_owned())
}

/// Returns a line without the marks of bold text.
fn plain(line: &str) -> String {
    line.replace("**", "").replace('*', "").trim().to_owned()
}

/// Returns whether a line is a horizontal rule.
pub(super) fn is_rule(line: &Line) -> bool {
    let text = line.text.trim();
    let is_all = |mark: u8| text.bytes().all(|byte| byte == mark);
    line.depth == 0 && (text == "---" || text.len() >= 20 && (is_all(b'_') || is_all(b'-')))
}
