//! Words in bold type that are not names of speakers.

use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Returns whether it stands for a pause, after which the previous speaker continues.
pub(super) fn is_pause(name: &str) -> bool {
    let name = plain(name);
    let last = name.rsplit(' ').next().unwrap_or_default();
    PAUSES.contains(&name.as_str()) || PAUSES.contains(&last)
}

/// Returns whether it labels the text after it, as in manuals, recipes and forms: "Note", "Usage".
pub(super) fn is_label(name: &str) -> bool {
    let words = name.split_whitespace().count();
    let shown = plain(name);
    // "File path" is not a name, but "Cory Fields" may be one.
    let plain_last = words > 1
        && name.split_whitespace().last().is_some_and(|last| {
            last.starts_with(char::is_lowercase) && LABELS_SET.contains(plain(last).as_str())
        });
    let sentence = name.ends_with(['?', '!', '.', ',']) && words > 2;
    LABELS_SET.contains(shown.as_str()) || plain_last || sentence || words > 5 || shown.is_empty()
}

/// Returns whether it marks questions and answers rather than the people who ask and answer.
pub(super) fn is_question(name: &str) -> bool {
    QUESTIONS.contains(&plain(name).as_str())
}

/// Returns whether it is a role in a conversation.
pub(super) fn is_part(name: &str) -> bool {
    PARTS.contains(&plain(name).as_str())
}

/// Returns a name in lower case, without a number and without what follows in brackets.
fn plain(name: &str) -> String {
    let name = name.split(['(', '[', '（']).next().unwrap_or_default();
    let number = |c: char| c.is_ascii_digit() || " #.-–".contains(c);
    name.trim_end_matches(number).trim().to_lowercase()
}

const PAUSES: [&str; 29] = [
    "break", "pause", "intermission", "interruption", "interval", "silence", "applause",
    "laughter", "cut", "pausa", "descanso", "intervallo", "intervalo", "unterbrechung", "stille",
    "applaus", "gelächter", "applaudissements", "rires", "aplausos", "risas", "applausi", "risate",
    "pauze", "paus", "перерыв", "пауза", "休息", "休憩",
];

const QUESTIONS: [&str; 20] = [
    "q", "a", "question", "answer", "questions", "answers", "frage", "antwort", "f", "réponse",
    "pregunta", "respuesta", "pergunta", "resposta", "domanda", "risposta", "вопрос", "ответ",
    "问", "答",
];

const PARTS: [&str; 24] = [
    "assistant", "chatgpt", "claude", "gemini", "copilot", "human", "bot", "chatbot",
    "interviewer", "interviewee", "moderator", "narrator", "speaker", "audience",
    "audience member", "participant", "sprecher", "sprecherin", "moderatorin", "intervieweur",
    "entrevistador", "intervistatore", "ведущий", "主持人",
];

static LABELS_SET: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| LABELS.iter().flat_map(|words| words.split(',')).map(str::trim).collect());

/// Labels in lower case, grouped by language.
const LABELS: [&str; 11] = [
    "note, notes, nb, n.b, warning, warnings, caution, danger, important, tip, tips, hint, \
     hints, info, information, attention, reminder, disclaimer, spoiler, update, edit, \
     example, examples, usage, use, using, install, installing, installation, setup, \
     configure, configuration, config, build, building, run, running, deploy, deployment, \
     test, tests, testing, quick start, quickstart, getting started, upgrade, upgrading, \
     parameters, parameter, params, param, arguments, argument, args, arg, options, option, \
     flags, flag, return, returns, raises, throws, throw, exceptions, errors, error, default, \
     defaults, type, types, required, optional, value, values, key, keys, syntax, format, \
     method, methods, function, functions, class, classes, module, modules, package, \
     packages, command, commands, api, endpoint, request, response, header, headers, body, \
     name, names, title, subtitle, description, details, summary, overview, background, \
     motivation, rationale, goal, goals, non-goals, purpose, scope, status, state, version, \
     versions, date, dates, time, author, authors, maintainer, maintainers, license, licence, \
     copyright, credits, contributing, contributors, acknowledgements, changelog, roadmap, \
     requirements, requirement, prerequisites, dependencies, dependency, compatibility, \
     features, feature, highlights, limitations, known issues, issue, issues, bug, bugs, fix, \
     fixes, fixed, added, changed, removed, deprecated, security, performance, new, \
     input, inputs, output, outputs, result, results, expected, actual, steps, step, \
     procedure, solution, solutions, problem, problems, cause, causes, impact, symptom, \
     symptoms, reason, reasons, why, how, what, when, where, who, which, pros, cons, pro, \
     con, advantages, advantage, disadvantages, drawbacks, benefits, risks, alternatives, \
     consequences, decision, decisions, context, conclusion, conclusions, introduction, \
     abstract, keywords, methodology, findings, recommendation, recommendations, \
     before, after, file, files, path, location, locations, line, lines, folder, directory, \
     see, see also, references, reference, source, sources, link, links, url, website, \
     homepage, repository, email, e-mail, mail, phone, fax, address, contact, from, to, \
     subject, cc, bcc, re, attachments, venue, agenda, attendees, present, absent, apologies, \
     minutes, action, actions, action items, next steps, todo, to do, done, in progress, \
     blocked, blockers, yesterday, today, tomorrow, owner, priority, severity, assignee, \
     reporter, labels, label, tags, tag, category, categories, ingredients, ingredient, \
     servings, serves, prep, prep time, cook time, total time, yield, directions, \
     instructions, preparation, nutrition, calories, equipment, price, cost, size, color, \
     colour, weight, length, width, height, duration, deadline, due, definition, definitions, \
     term, terms, meaning, synonyms, antonyms, etymology, pronunciation, origin, genus, \
     species, habitat, diet, age, born, died, occupation, nationality, education, experience, \
     skills, languages, language, hobbies, about, about me, faq, troubleshooting, environment, \
     platform, os, framework, tools, port, username, password, server, database, hostname, \
     opening, opening hours, hours, lunch, dinner, breakfast, keynote, registration, workshop, \
     doors, monday, tuesday, wednesday, thursday, friday, saturday, sunday, morning, \
     afternoon, evening, tl;dr, tldr, ps, p.s, psa, table of contents, contents, figure, \
     table, listing, theorem, lemma, proof, corollary, remark, remarks, exercise, day, week, \
     month, year, chapter, part, section, total, subtotal, tax, quantity, item, items",
    "hinweis, hinweise, achtung, warnung, wichtig, tipp, tipps, beispiel, beispiele, \
     verwendung, nutzung, benutzung, installation, einrichtung, konfiguration, \
     voraussetzungen, voraussetzung, parameter, rückgabe, rückgabewert, fehler, lösung, \
     problem, ursache, zutaten, zubereitung, portionen, quelle, quellen, datum, ort, titel, \
     autor, autorin, beschreibung, zusammenfassung, ergebnis, ergebnisse, ziel, ziele, \
     anmerkung, bemerkung, vorteile, nachteile, typ, standard, preis, adresse, telefon, \
     öffnungszeiten, schritt, schritte, bedeutung, herkunft, uhrzeit, thema, siehe auch",
    "remarque, remarques, attention, avertissement, important, astuce, conseil, exemple, \
     exemples, utilisation, installation, configuration, paramètres, paramètre, retour, \
     retourne, prérequis, ingrédients, préparation, source, sources, date, lieu, auteur, \
     autrice, titre, description, résumé, résultat, objectif, objectifs, avantages, \
     inconvénients, définition, erreur, erreurs, étapes, étape, prix, adresse, téléphone, \
     horaires, type, nom, voir aussi, licence",
    "nota, notas, aviso, advertencia, atención, importante, consejo, ejemplo, ejemplos, uso, \
     instalación, configuración, parámetros, parámetro, devuelve, retorno, requisitos, \
     ingredientes, preparación, elaboración, fuente, fuentes, fecha, lugar, autor, autora, \
     título, descripción, resumen, resultado, resultados, objetivo, objetivos, ventajas, \
     desventajas, inconvenientes, definición, error, errores, pasos, paso, precio, dirección, \
     teléfono, horario, tipo, nombre, licencia, véase también",
    "observação, aviso, atenção, dica, dicas, exemplo, exemplos, instalação, configuração, \
     parâmetros, retorna, retorno, preparo, modo de preparo, fonte, fontes, data, título, \
     descrição, resumo, objetivo, vantagens, desvantagens, definição, erro, erros, passos, \
     preço, endereço, nome, licença, veja também",
    "avviso, avvertenza, attenzione, suggerimento, consiglio, esempio, esempi, utilizzo, \
     installazione, configurazione, parametri, restituisce, requisiti, ingredienti, \
     preparazione, fonte, fonti, titolo, descrizione, riassunto, risultato, vantaggi, \
     svantaggi, definizione, errore, passaggi, prezzo, indirizzo, nome, licenza, vedi anche",
    "opmerking, let op, waarschuwing, belangrijk, voorbeeld, voorbeelden, gebruik, \
     installatie, vereisten, ingrediënten, bereiding, bron, bronnen, titel, beschrijving, \
     samenvatting, resultaat, doel, voordelen, nadelen, definitie, anmärkning, varning, \
     exempel, användning, ingredienser, källa, bemærk, advarsel, eksempel, kilde, huomautus, \
     esimerkki, uwaga, ostrzeżenie, przykład, użycie, instalacja, składniki, źródło, not, \
     uyarı, örnek, kullanım, kurulum, malzemeler, kaynak, poznámka, upozornění, příklad",
    "примечание, внимание, предупреждение, важно, совет, пример, примеры, использование, \
     установка, настройка, параметры, параметр, возвращает, требования, ингредиенты, \
     приготовление, источник, источники, дата, место, автор, название, описание, итог, \
     результат, цель, преимущества, недостатки, определение, ошибка, ошибки, шаги, шаг, цена, \
     адрес, телефон, тип, имя, лицензия, см. также, примітка, увага, приклад, використання",
    "注意, 警告, 提示, 说明, 說明, 示例, 例子, 用法, 使用, 使用方法, 安装, 安裝, 配置, 参数, 參數, \
     返回, 返回值, 要求, 步骤, 步驟, 结果, 結果, 来源, 來源, 日期, 时间, 時間, 地点, 地點, 作者, 标题, \
     標題, 描述, 总结, 總結, 摘要, 问题, 問題, 原因, 解决, 解决方案, 定义, 定義, 优点, 缺点, 優點, 缺點, \
     材料, 做法, 价格, 類型, 类型, 名称, 许可证",
    "ヒント, 例, 使い方, 使用法, インストール, 設定, パラメータ, パラメーター, 引数, 戻り値, 要件, \
     手順, 出典, 日付, 場所, 著者, タイトル, 説明, 概要, 作り方, 長所, 短所, 備考, 重要, 참고, 주의, \
     경고, 예, 예시, 예제, 사용법, 설치, 매개변수, 반환, 결과, 출처, 날짜, 장소, 제목, 설명, 요약, 재료",
    "ملاحظة, ملاحظات, تحذير, تنبيه, مهم, مثال, أمثلة, الاستخدام, التثبيت, المعلمات, النتيجة, \
     المصدر, التاريخ, المكان, العنوان, الوصف, الملخص, المكونات, הערה, אזהרה, דוגמה, שימוש, \
     התקנה, מקור, תאריך, מקום, נוٹ, نکته, هشدار, نمونه, नोट, चेतावनी, उदाहरण, उपयोग, स्थापना",
];

/// Returns whether a row of metadata lists the speakers.
pub(super) fn names_speakers(key: &str) -> bool {
    const KEYS: [&str; 20] = [
        "speakers", "speaker", "participants", "participant", "hosts", "host", "guests", "guest",
        "interviewer", "interviewers", "interviewee", "interviewees", "moderator", "moderators",
        "panelists", "panel", "cast", "sprecher", "teilnehmer", "gäste",
    ];
    KEYS.contains(&key.trim().to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::{is_label, is_part, is_pause};

    #[test]
    fn labels_are_distinguished_from_names() {
        for label in [
            "Note",
            "Note 2",
            "USAGE",
            "File path",
            "Getting started",
            "What is a heron?",
            "Ergebnis",
            "Remarque ",
            "例",
            "A sentence in bold of six words",
            "Step #3",
        ] {
            assert!(is_label(label), "{label}");
        }
        for name in ["Ada", "Cory Fields", "Speaker 2", "User", "Dr. O'Neil-Quist", "Host"] {
            assert!(!is_label(name), "{name}");
        }
    }

    #[test]
    fn parts_and_pauses_have_numbers() {
        assert!(is_part("Speaker #2") && is_part("Assistant (draft)") && !is_part("Ada"));
        assert!(is_pause("Break 2") && is_pause("Ad break") && !is_pause("Song"));
    }
}
