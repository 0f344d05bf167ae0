//! Who is named where LINE or KakaoTalk tells that somebody came, went, or asked others in.

/// Verbs between who did something and to whom, or behind who did it.
const ENGLISH: [&str; 11] = [
    " has joined",
    " has left",
    " joined",
    " left",
    " unsent a message",
    " added ",
    " invited ",
    " removed ",
    " canceled ",
    " was removed",
    " has been removed",
];
/// Words behind those to whom something was done.
const ENGLISH_ENDS: [&str; 5] =
    [" to the ", " to this ", " from the ", " from this ", " from joining"];
/// Words of which a notice in Japanese has one.
const JAPANESE: [&str; 7] = [
    "参加しました",
    "退会しました",
    "退会させました",
    "追加しました",
    "招待しました",
    "作成しました",
    "取り消しました",
];
/// Words behind whoever did something in Chinese, and those behind whom it was done to.
const CHINESE: [&str; 10] =
    ["已將", "已将", "已新增", "已邀請", "邀請", "邀请", "已", "加入", "離開", "撤回了"];
const CHINESE_ENDS: [&str; 8] =
    ["新增至", "添加至", "添加到", "至群", "加入", "退出", "離開", "移出"];
/// What stands in Korean between the mark of a name, `님`, and the next name.
const KOREAN: [&str; 6] = ["이 ", "과 ", "을 ", "은 ", ", ", "와 "];
/// The most characters of a name.
const MAX_CHARS: usize = 60;

/// Hands over each name in a notice.
pub(super) fn each_called(notice: &str, take: &mut dyn FnMut(&str)) {
    let line = notice.trim().trim_end_matches(['.', '。']);
    let mut name = |text: &str| {
        let name = text.trim().trim_matches(['"', '「', '」', '.', '。']);
        let is_one = (1..=MAX_CHARS).contains(&name.chars().count());
        if is_one && name.chars().any(char::is_alphanumeric) {
            take(name);
        }
    };
    if line.contains('님') {
        korean(line, &mut name);
    } else if JAPANESE.iter().any(|words| line.contains(words)) {
        japanese(line, &mut name);
    } else if ENGLISH.iter().any(|words| line.contains(words)) {
        between(line, &ENGLISH, &ENGLISH_ENDS, &mut name);
    } else {
        between(line, &CHINESE, &CHINESE_ENDS, &mut name);
    }
}

/// `Ada님이 Bela님과 Cleo님을 초대했습니다`.
fn korean(line: &str, name: &mut dyn FnMut(&str)) {
    let mut parts: Vec<&str> = line.split('님').collect();
    parts.pop();
    for part in parts {
        let bare = KOREAN.iter().find_map(|particle| part.strip_prefix(particle));
        list(bare.unwrap_or(part), name);
    }
}

/// `AdaがBelaさんをグループに追加しました`.
fn japanese(line: &str, name: &mut dyn FnMut(&str)) {
    let Some((by, rest)) = line.split_once('が') else { return };
    let mut person = |text: &str| name(text.trim().trim_end_matches("さん"));
    person(by);
    match rest.split_once('を') {
        Some((others, _)) if others != "グループ" => list(others, &mut person),
        _ => {}
    }
}

/// `Ada added Bela and Cleo to the group`.
fn between(line: &str, verbs: &[&str], ends: &[&str], name: &mut dyn FnMut(&str)) {
    let found = verbs.iter().filter_map(|verb| Some((line.find(verb)?, verb.len())));
    // Of two that begin at one place the longer one.
    let Some((at, len)) = found.min_by_key(|(at, len)| (*at, usize::MAX - len)) else {
        return;
    };
    name(&line[..at]);
    let others = &line[at + len..];
    let end = ends.iter().filter_map(|end| others.find(end)).min();
    if let Some(end) = end {
        list(&others[..end], name);
    } else if line[at..at + len].ends_with(' ') {
        list(others, name);
    }
}

fn list(names: &str, name: &mut dyn FnMut(&str)) {
    let names = names.split([',', '、', '，']).flat_map(|part| part.split(" and "));
    names.for_each(name);
}

#[cfg(test)]
mod tests {
    use super::each_called;

    #[test]
    fn everybody_who_is_named_is_found() {
        for (notice, expected) in [
            ("Ada joined the group.", "Ada"),
            ("Ada Wren added Bela and Cleo to the group.", "Ada Wren|Bela|Cleo"),
            ("Ada invited Bela.", "Ada|Bela"),
            ("Ada has left this chatroom.", "Ada"),
            ("Ada unsent a message.", "Ada"),
            ("田中さんが参加しました。", "田中"),
            ("Adaがグループを作成しました。", "Ada"),
            ("Adaが佐藤、山田をグループに追加しました。", "Ada|佐藤|山田"),
            ("小美已加入群組", "小美"),
            ("小美已將阿明新增至群組", "小美|阿明"),
            ("홍길동님이 들어왔습니다.", "홍길동"),
            ("홍길동님이 이영희님과 김철수님을 초대했습니다.", "홍길동|이영희|김철수"),
        ] {
            let mut found = Vec::new();
            each_called(notice, &mut |name| found.push(name.to_owned()));
            assert_eq!(found.join("|"), expected, "{notice}");
        }
    }
}
