//! Notices in Korean, Japanese and Chinese, in which a marker follows each name.

/// Korean text between the marker of a name, `님`, and the next name.
const KOREAN: [&str; 6] = ["이 ", "과 ", "을 ", "은 ", ", ", "와 "];
/// Words of which each Japanese notice contains one.
const JAPANESE: [&str; 7] = [
    "参加しました", "退会しました", "退会させました", "追加しました", "招待しました",
    "作成しました", "取り消しました",
];
/// Words of which each Chinese notice contains one.
const CHINESE: [&str; 8] = ["群", "加入", "離開", "退出", "邀請", "邀请", "收回", "撤回"];
/// Chinese words after the actor and before the people concerned.
const CHINESE_VERBS: [&str; 11] =
    ["已將", "已将", "已新增", "已邀請", "邀請", "邀请", "已", "加入", "離開", "退出", "撤回"];
/// Chinese words after the people concerned.
const CHINESE_ENDS: [&str; 7] = ["新增至", "添加至", "添加到", "至群", "加入", "退出", "移出"];

/// Calls `name` with each name on a line in one of these languages. Returns whether the line is in
/// one.
pub(super) fn each_named(line: &str, name: &mut dyn FnMut(&str)) -> bool {
    let has = |words: &[&str]| words.iter().any(|words| line.contains(words));
    if line.contains('님') {
        korean(line, name);
    } else if has(&JAPANESE) {
        japanese(line, name);
    } else if has(&CHINESE) {
        chinese(line, name);
    } else {
        return false;
    }
    true
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
    if let Some((others, _)) = rest.split_once('を').filter(|(what, _)| *what != "グループ") {
        list(others, &mut person);
    }
}

/// `Ada已將Bela新增至群組`.
fn chinese(line: &str, name: &mut dyn FnMut(&str)) {
    let found = CHINESE_VERBS.iter().filter_map(|verb| Some((line.find(verb)?, verb.len())));
    // If two begin at the same place, the longer one.
    let Some((at, len)) = found.min_by_key(|(at, len)| (*at, usize::MAX - len)) else {
        return;
    };
    name(&line[..at]);
    let others = &line[at + len..];
    if let Some(end) = CHINESE_ENDS.iter().filter_map(|end| others.find(end)).min() {
        list(&others[..end], name);
    }
}

fn list(names: &str, name: &mut dyn FnMut(&str)) {
    names.split([',', '、', '，']).for_each(name);
}
