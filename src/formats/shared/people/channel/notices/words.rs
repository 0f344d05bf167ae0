//! Phrases around names in system messages, in several languages.

/// Words after the actor and before the people concerned.
pub(super) const TO_SOMEBODY: [&str; 30] = [
    " added ", " removed ", " invited ", " hat ", " añadió a ", " agregó a ", " eliminó a ",
    " expulsó a ", " a ajouté ", " a retiré ", " a supprimé ", " a exclu ", " adicionou ",
    " removeu ", " ha aggiunto ", " ha rimosso ", " heeft ", " dodał(a) ", " usunął(ęła) ",
    " добавил(-а) ", " удалил(-а) ", " ekledi ", " menambahkan ", " mengeluarkan ", " הוסיף את ",
    " הוסיפה את ", " הוסיף/ה את ", " הסיר את ", " הסירה את ", " הסיר/ה את ",
];
/// Words after the actor.
pub(super) const BY_SOMEBODY: [&str; 91] = [
    " has left", " has joined", " has been removed", " left", " joined", " created ", " changed ",
    " deleted this group", " pinned ", " turned ", " started ", " updated ", " requested ",
    " reset ", " was added", " was removed", " were added", " were removed", " is now ",
    " is a contact", " accepted", " renamed ", " unsent ", " kept ", " performed ",
    " wurde hinzugefügt", " wurde entfernt", " ist beigetreten", " ist der Gruppe",
    " ist dieser Gruppe", " ist jetzt", " wurden hinzugefügt", " salió", " se unió", " creó ",
    " cambió ", " actualizó ", " fijó ", " abandonó", " a quitté", " est parti", " a rejoint",
    " a créé", " a modifié", " a changé", " a été ajouté", " a épinglé", " s’est joint",
    " s'est joint", " saiu", " entrou", " criou ", " mudou ", " alterou ", " fixou ",
    " ha abbandonato", " è uscit", " si è unit", " ha creato", " ha cambiato", " ha modificato",
    " is toegetreden", " opuścił", " вышел", " ayrıldı", " te añadió", " te agregó", " te eliminó",
    " te expulsó", " vous a ajouté", " vous a retiré", " vous a supprimé", " vous a exclu",
    " t’a ajouté", " t'a ajouté", " ti ha aggiunto", " ti ha rimosso", " te adicionou",
    " te removeu", " sizi ekledi", " sizi çıkardı", " seni ekledi", " seni çıkardı", " keluar",
    " bergabung", " יצא", " עזב", " הצטרף", " הוסיף אותך", " הוסיפה אותך", " הוסיף/ה אותך",
];
/// Words before the actor.
pub(super) const ADMINS: [&str; 8] = [
    "by admin ", "von Admin ", "por el administrador ", "por el admin. ", "par l’admin ",
    "pelo admin ", "dall’amministratore ", "door beheerder ",
];
/// Words after the people concerned, in languages with the verb at the end.
pub(super) const DONE: [&str; 9] = [
    " hinzugefügt", " entfernt", " gelöscht", " die ", " den ", " das ", " diese", " toegevoegd",
    " verwijderd",
];
/// Other words after the last name.
pub(super) const ENDS: [&str; 31] = [
    " to the ", " to this ", " from the ", " from this ", " using ", " via ", " de groep",
    " al grupo", " del grupo", " au groupe", " du groupe", " ao grupo", " al gruppo", " do grupy",
    " z grupy", " в группу", " из группы", " aan de ", " uit de ", " ke grup", " dari grup",
    " לקבוצה", " מהקבוצה", ". Tap ", ". Tippe ", ". Toca ", ". Appuyez ", ". Tocca ", ". Tik ",
    ". Toque ", ". Dotknij ",
];
/// Words for the owner of the phone that are never real names.
pub(super) const OWNERS: [&str; 22] = [
    "you", "tú", "usted", "vous", "você", "jij", "siz", "вы", "ciebie", "cię", "dich", "вас",
    "тебя", "sizi", "أنت", "אתה", "आप", "あなた", "您", "你", "당신", "회원",
];
/// Words for the owner of the phone that are real names in other languages.
pub(super) const OWNERS_OR_NAMES: [&str; 6] = ["du", "tu", "ты", "je", "u", "lei"];
/// Such words that are common names.
pub(super) const OWNERS_OR_COMMON_NAMES: [&str; 5] = ["ty", "anda", "hai", "sie", "seni"];
/// Words that mark English system messages, in which only `You` is the owner.
pub(super) const ENGLISH: [&str; 10] = [
    " left", " joined", " added", " removed", " created ", " changed ", " was made ", " is now ",
    " started ", " turned ",
];
/// How system messages begin that describe what the owner did to others.
pub(super) const OWNER_TO_SOMEBODY: [&str; 40] = [
    "Du hast ", "Sie haben ", "Añadiste a ", "Agregaste a ", "Eliminaste a ", "Expulsaste a ",
    "Has añadido a ", "Has eliminado a ", "Vous avez ajouté ", "Vous avez retiré ",
    "Vous avez supprimé ", "Vous avez exclu ", "Tu as ajouté ", "Tu as retiré ", "Tu as supprimé ",
    "Adicionaste ", "Adicionou ", "Removeste ", "Removeu ", "Hai aggiunto ", "Hai rimosso ",
    "Je hebt ", "Jij hebt ", "U hebt ", "Dodano ", "Dodałeś ", "Dodałaś ", "Dodałeś(aś) ",
    "Dodałeś(-aś) ", "Usunąłeś(ęłaś) ", "Вы добавили ", "Вы удалили ", "Вы исключили ",
    "Ты добавил(-а) ", "הוספת את ", "הסרת את ", "لقد أضفت ", "لقد أزلت ", "أضفت ", "أزلت ",
];
/// How other system messages about the owner begin. The first word may be a real name.
pub(super) const OWNER_DID: [&str; 24] = [
    "Du hast ", "Du bist ", "Du wurdest ", "Du har ", "Du lade ", "Du la ", "Du tilføjede ",
    "Tu as ", "Tu es ", "Hai ", "Sei ", "Je hebt ", "Je bent ", "U hebt ", "U bent ", "Ты ",
    "Sie haben ", "Sie sind ", "Sie wurden ", "Anda menambahkan ", "Anda mengeluarkan ",
    "Anda mengubah ", "Anda membuat ", "Anda keluar",
];
/// How system messages end that describe what was done to the owner. The last word may be a real
/// name.
pub(super) const TO_OWNER_ENDS: [&str; 3] =
    [" menambahkan Anda", " mengeluarkan Anda", " seni ekledi"];
/// Endings of verbs that imply the owner as the actor: `Añadiste`, `Dodano`.
pub(super) const OWNER_DID_ENDS: [&str; 9] =
    ["aste", "iste", "łeś", "łaś", "aś)", "dano", "niono", "zono", "ięto"];
/// Words after the people concerned and before the verb: `Ada, Bela kişisini ekledi`.
pub(super) const AFTER_SOMEBODY: [&str; 4] =
    [" kişisini ", " kişilerini ", " adlı kişiyi ", " adlı kişileri "];
/// Words before the actor and the people concerned: `أضاف Ada Bela`.
pub(super) const BEFORE_SOMEBODY: [&str; 6] =
    ["أضاف ", "أزال ", "غادر ", "غادرت ", "انضم ", "انضمت "];
/// Words before the last name of a list.
pub(super) const ANDS: [&str; 14] =
    ["and", "und", "y", "et", "e", "en", "&", "i", "и", "ve", "dan", "och", "og", "و"];
/// Words for the owner of the phone between actor and verb: `Ada vous a ajouté`.
pub(super) const TO_OWNER: [&str; 6] = [" vous", " te", " ti", " nous", " sizi", " seni"];
/// Particles inside names.
pub(crate) const PARTICLES: [&str; 16] = [
    "da", "das", "de", "del", "della", "den", "der", "di", "do", "dos", "du", "e", "la", "van",
    "von", "bin",
];
