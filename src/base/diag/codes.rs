//! The table of all diagnostic codes: what each means, and what to do about it.

use super::Severity;

/// A row of the table.
pub struct Code {
    /// Kebab-case, stable between versions.
    pub name: &'static str,
    /// The most severe form in which it is told.
    pub severity: Severity,
    /// What it says, as a sentence without a full stop.
    pub meaning: &'static str,
    /// What it is about and what to do: a paragraph of plain text or a few.
    pub help: &'static str,
}

/// All codes, in alphabetical order.
pub const CODES: &[Code] = &[
    Code {
        name: "account-data",
        severity: Severity::Hint,
        meaning: "a file of an export is about an account",
        help: "Exports have files about the person who made them: name, e-mail address, \
               settings, what an assistant remembers. Nothing of such a file is \
               published, and nothing can publish it. Nothing needs to be done; whoever \
               can read the content folder can read the file, so remove it if the \
               folder is public.",
    },
    Code {
        name: "address-changed",
        severity: Severity::Warning,
        meaning: "the page of a conversation has a new address",
        help: "The address of a page is made from the date and the title of its \
               conversation, so a new title gives a new address. The page is published \
               at the new one, and from now on nothing stands at the old one. If others \
               may link to the old address, add the line that the message shows to \
               `[redirects]` in site.toml, such as `\"old/talk/\" = \
               \"c/2026-03-04-a-talk-7f3kxm/\"`. Only `build` says this, and it says it \
               once.",
    },
    Code {
        name: "address-taken",
        severity: Severity::Error,
        meaning: "two pages want the same address",
        help: "A plain page stands at the address that its file's path gives: \
               `pages/about.md` at `about/`. Something else stands there already: another \
               page, or one that the program makes, such as the list of speakers. The \
               page is left out; give it another name, or say `slug = \"…\"` in its front \
               matter.",
    },
    Code {
        name: "alias-taken",
        severity: Severity::Warning,
        meaning: "an old address already leads to another page",
        help: "A conversation lists an old address under `aliases`, but a newer \
               conversation or a line of `[redirects]` in site.toml has the same one. \
               The conversation is published; readers of the old address arrive at the \
               other page. Take the address out of one of the two.",
    },
    Code {
        name: "already-there",
        severity: Severity::Hint,
        meaning: "an export in the content folder has the conversation already",
        help: "Only `import` says this. The conversation is read from the file that the \
               message names, and would have a second page if it were brought into a file \
               of its own. Nothing is written. To publish only some conversations of that \
               export, choose them with `include` in a `[[source]]`, or move the export \
               out of the content folder and import it: the addresses of pages stay.",
    },
    Code {
        name: "ambiguous-dates",
        severity: Severity::Warning,
        meaning: "dates or times of a chat can be read in two ways",
        help: "All dates of the chat could be read both ways, such as `3/4/26`. It is \
               published without dates. Say in the name of the file which it is: \
               `chat.dmy.txt` where the day is first, `chat.mdy.txt` where the \
               month is. Or words behind the times are not known: they may name the \
               half of the day. The times are shown as they stand.",
    },
    Code {
        name: "ambiguous-format",
        severity: Severity::Warning,
        meaning: "a file fits two formats equally well",
        help: "The message names both formats; the file was read as the first of them. \
               If its page looks wrong, or to end the warning, name the format in \
               site.toml: `[[source]]`, `files = \"talks/*.json\"`, `format = \
               \"cjson\"`. `convo-site list formats` shows the names.",
    },
    Code {
        name: "bad-alias",
        severity: Severity::Error,
        meaning: "an old address cannot be used",
        help: "It is an address under `aliases` of a conversation, or on one side of a \
               line of `[redirects]` in site.toml. It is not a path on this site, or \
               hosts use its name for their settings (such as `_headers`), or the \
               redirect leads in a circle. Everything is published except this redirect. \
               Write a path such as `old/talk/` or `old/talk.html`, without spaces, `?`, \
               `#`, `*` and `..`.",
    },
    Code {
        name: "bad-archive",
        severity: Severity::Error,
        meaning: "an archive cannot be read",
        help: "A ZIP or tar file in the content folder is shown as a folder, and a file \
               that ends in `.gz` or `.zst` as the file that it holds. This one is \
               broken, cut off, encrypted, or larger than an archive may be, or a file \
               in it has a name that leads out of it, is there twice, or is a link. What \
               could be read of it is published. Download it again, or unpack it \
               yourself and put the folder in its place.",
    },
    Code {
        name: "bad-asset",
        severity: Severity::Error,
        meaning: "the site's own stylesheet or script cannot be used",
        help: "`style.css` and `script.js` beside site.toml are loaded by every page, after \
               those of the theme. This one cannot be read, is no UTF-8, or is larger than \
               1 MB, so pages are built without it. Save it as UTF-8, or make it smaller.",
    },
    Code {
        name: "bad-cue",
        severity: Severity::Warning,
        meaning: "a cue of captions, or a segment of a transcript, cannot be read as a whole",
        help: "Captions are blocks of lines. Each has a line such as `00:01:02.500 --> \
               00:01:04.000`, and below it what is said. Where that line is no time, what \
               is said is kept, without a place in the recording; what stands in no cue \
               at all is not shown. Write the line, or remove what does not belong there.",
    },
    Code {
        name: "bad-font",
        severity: Severity::Error,
        meaning: "a font for drawn pictures cannot be used",
        help: "A file that `fonts` under `[og_images]` in site.toml names is not in the \
               site folder, or it is not a font. All pages are published; pictures are \
               drawn without this font. Give the path of a TrueType or OpenType file in \
               the site folder, such as `fonts = [\"fonts/NotoSansJP-Bold.otf\"]`.",
    },
    Code {
        name: "bad-history",
        severity: Severity::Error,
        meaning: "the history of a git repository cannot be read",
        help: "Conversations of vlinder may lie in a git repository, whose branches and \
               commits are read as well. A warning says that the repository or one of \
               its commits cannot be read: the files that lie in the folder are read, \
               without what is missing. An error says that reading failed later: the \
               conversation to which that part belongs is left out.\n\n\
               Where `updated = \"git\"` asks when files were last changed, a warning says \
               that the site is in no repository, or that its history is cut off, as CI \
               clones it: `fetch-depth: 0` for `actions/checkout` brings all of it.\n\n\
               Check the repository, for example with `git fsck`. One that takes its \
               objects from another repository, or that holds links, is not read: clone \
               it again without `--shared` and `--reference`.",
    },
    Code {
        name: "bad-image",
        severity: Severity::Error,
        meaning: "the logo or the picture of the site cannot be used",
        help: "`logo` or `image` under `[look]` in site.toml names a file that is not in \
               the site folder, or whose name does not end as that of an image. The site \
               is published without it. Use a file that ends in `.png`, `.jpg`, `.jpeg`, \
               `.gif`, `.webp`, `.avif` or `.svg`, such as `logo = \"logo.svg\"`.",
    },
    Code {
        name: "bad-json",
        severity: Severity::Error,
        meaning: "a text that should be JSON is not",
        help: "In a convo file it is the object at the end, and the conversation is left \
               out. Of a log with one JSON object in each line, only the broken line is \
               left out. Any other JSON file is left out as a whole. Often a comma, a \
               quotation mark or a bracket is missing: mend the place that the message \
               names, or export the file again. More than a million values in one text \
               are also refused, but for the messages of a conversation of ChatGPT or \
               Claude, which are read one by one.",
    },
    Code {
        name: "bad-language",
        severity: Severity::Warning,
        meaning: "a language tag is not valid",
        help: "An entry of `languages` in a convo file is not a language tag as BCP 47 \
               defines them. The conversation is published, and the tag stays as it is \
               written, but browsers and search engines will not understand it. Write \
               tags such as `\"languages\": [\"en\", \"zh-Hans\", \"pt-BR\"]`.",
    },
    Code {
        name: "bad-mail",
        severity: Severity::Error,
        meaning: "a mail has no fields",
        help: "Above the text of a mail stand fields such as `From:` and `Date:`, down to the \
               first blank line. Here there are none, so nobody knows who wrote it. This \
               mail is left out and the others of its mailbox are kept. Export the \
               mailbox again, or repair the lines behind the one that begins with \
               `From `.",
    },
    Code {
        name: "bad-sitemap",
        severity: Severity::Error,
        meaning: "the sitemap lists a page that should not be in it",
        help: "Only `check` says this. An address in the sitemap leads to no page, or to \
               a page that asks search engines not to list it, or to a page that names \
               another address as its own. A template of your own can cause this: \
               compare its `<meta name=\"robots\">` and `<link rel=\"canonical\">` with \
               those of the built-in template.",
    },
    Code {
        name: "bad-template",
        severity: Severity::Error,
        meaning: "a template does not work",
        help: "If the template cannot be read, the one below it is used instead: that of \
               the theme, or the built-in one. If it fails while a page or a picture is \
               made, that file is left out of the site, and an older one is removed. \
               Mend the template at the place that the message names. What templates can \
               use is documented in `convo_site::theme::view` (`cargo doc --open`).",
    },
    Code {
        name: "bad-theme",
        severity: Severity::Error,
        meaning: "themes extend each other in a circle",
        help: "`extends` in a `theme.toml` names a theme that is in use already, or more \
               than eight themes extend one another. The site is published with the \
               themes up to that place. Remove one of the `extends` lines.",
    },
    Code {
        name: "bad-time",
        severity: Severity::Error,
        meaning: "a time cannot be understood",
        help: "Which day 04/05/26 is, and in which zone, cannot be known. As a warning it \
               says that the conversation is published without this time: it stands \
               among those without a date. As an error, in a convo file, it says that \
               the conversation is left out.\n\n\
               In a file that you write, give the year first: `2025-10-23`, \
               `2025-10-23T12:00:00Z` or `2025-10-23T12:00:00-05:00[America/Chicago]`. \
               A time that names no zone is in that of `time_zone` in site.toml or in \
               the `[[source]]` of the file.\n\n\
               In an export leave the file as it is, since the next one brings the same \
               time again. Write the conversation with `convo-site convert FILE --to \
               convo -o talk.convo`, add the right `time` to it, and put it in the place \
               of the export; or publish it without one, and nothing needs to be done.",
    },
    Code {
        name: "bad-toml",
        severity: Severity::Error,
        meaning: "a text that should be TOML is not",
        help: "If it is site.toml, nothing is written until it is mended. If it is the \
               front matter of a conversation, the conversation is held back, because \
               the text may say that it is private. A `theme.toml` or a file in \
               `locales/` is ignored; there it can also be a key or a value that does \
               not fit. Often quotation marks are missing: `title = \"My talks\"`.",
    },
    Code {
        name: "bad-translation",
        severity: Severity::Warning,
        meaning: "a translation cannot be linked with the original",
        help: "`translation_of` names no other conversation, or one of the translations \
               declares no language, a language that search engines do not know, or the \
               language of another translation. The conversation is published without \
               links to its translations. Write the id of the other conversation, or the \
               path of its file seen from the folder of this one, such as \
               `\"translation_of\": \"talk.convo\"`, and give each its own language, \
               such as `\"languages\": [\"de\"]`.",
    },
    Code {
        name: "bad-value",
        severity: Severity::Error,
        meaning: "a setting has a value that it cannot have",
        help: "In site.toml a setting keeps its default value, and the rest is \
               published. In a `[[source]]`, and in `content`, nothing is written until \
               it is mended, because such a line may say what is private. In a file in \
               `locales/` the text stays what it was. The message says which values fit; \
               the reference file site.toml of this program explains every setting.",
    },
    Code {
        name: "bad-yaml",
        severity: Severity::Error,
        meaning: "front matter is not valid YAML",
        help: "A warning says that it was read line by line all the same, as `key: \
               text`, and the conversation is published. An error says that this was not \
               possible either: the conversation is held back, because the text may say \
               that it is private. Often a text with a colon needs quotation marks: \
               `title: \"Rust: a talk\"`.",
    },
    Code {
        name: "blocked-by-policy",
        severity: Severity::Warning,
        meaning: "browsers do not let a page have what a template or stylesheet asks for",
        help: "The policy of each page lets browsers load what the site itself has, and what \
               site.toml names, so that nothing that somebody said can run or tell others who \
               reads it. A template of the site, or its `style.css`, asks for something else, \
               which does not work. \
               Name the service in `[services]`, or its host in `allow` there; put scripts \
               and styles that stand in the page into `script.js` and `style.css` beside \
               site.toml.",
    },
    Code {
        name: "both-speak",
        severity: Severity::Warning,
        meaning: "one entry holds a question and an answer",
        help: "An entry in the `history` of a vlinder session has both `user` and \
               `agent`. It is published as two turns, the question first. If that is \
               wrong, make two entries of it.",
    },
    Code {
        name: "byte-order-mark",
        severity: Severity::Hint,
        meaning: "the file starts with a byte-order mark",
        help: "These are three invisible bytes that some editors write at the start of a \
               file. They are skipped, and nothing is lost. To end the hint, save the \
               file as UTF-8 without a byte-order mark.",
    },
    Code {
        name: "cache",
        severity: Severity::Warning,
        meaning: "the build could not keep what it found out",
        help: "The site is complete and written. Only the folder `.convo-site` in the \
               site folder could not be brought up to date, so the next build takes \
               longer. Check that the disk has room and that you may write to that \
               folder.",
    },
    Code {
        name: "carriage-return",
        severity: Severity::Hint,
        meaning: "lines of the file end in different ways",
        help: "Some lines end in a carriage return alone, or with a line feed while other \
               lines have none. Each is read as a line end, and nothing is lost. To end \
               the hint, save the file with one kind of line ends: those of Unix (LF) or \
               those of Windows (CRLF).",
    },
    Code {
        name: "changed",
        severity: Severity::Error,
        meaning: "something changed while the site was built",
        help: "A file of a conversation, or what earlier builds had kept for the search, \
               was changed or removed during the build. The pages and files that needed \
               it are left out. Build again.",
    },
    Code {
        name: "confidential",
        severity: Severity::Hint,
        meaning: "what people wrote to each other is held back",
        help: "The file is a chat, a channel or a mailbox, which not everybody could \
               read, and those who wrote in it were not asked. To publish it, say so in \
               site.toml: `[[source]]`, `files = \"whatsapp/**\"`, `visibility = \
               \"public\"`. People who are not listed in `[people]` get made-up names \
               then, unless `others = \"keep\"` stands there, and numbers and \
               addresses are redacted. Direct messages and private channels that stand \
               in an export beside others need `direct_messages = true` as well.",
    },
    Code {
        name: "corrupted-attachment",
        severity: Severity::Warning,
        meaning: "an attachment is damaged",
        help: "Its data is not valid Base64 or no valid `data:` address, or its SHA-256 \
               or its size is not what the conversation says. The conversation is \
               published with a placeholder in place of the attachment. Put the right \
               file there, export the conversation again, or correct what it says of the \
               attachment.",
    },
    Code {
        name: "damaged-image",
        severity: Severity::Warning,
        meaning: "an image is damaged and not published",
        help: "JPEG, PNG, GIF, WebP, AVIF and HEIC images are published without what \
               is not the picture: where and when it was taken, with which camera, \
               comments, a small copy of it, files hidden behind its end. For that an \
               image must be whole up to its end; of one that is not nobody can say \
               what is in it. Save it anew with a program for pictures.",
    },
    Code {
        name: "dead-link",
        severity: Severity::Error,
        meaning: "a link on the site leads nowhere",
        help: "Only `check` says this. A page links to an address on this site, or loads \
               a file from it, and nothing stands there. It can come from a template of \
               your own, from the target of a redirect in site.toml, or from a \
               conversation that holds the full address of a page. Correct the address.",
    },
    Code {
        name: "dead-redirect",
        severity: Severity::Warning,
        meaning: "a redirect leads to no page",
        help: "A line of `[redirects]` in site.toml or an alias of a conversation leads to an \
               address where the site has no page. The conversation may be gone, or it may \
               be private now. The redirect is left out, because its address may hold a \
               private title. Correct the address, or remove the line.",
    },
    Code {
        name: "doubtful-speaker",
        severity: Severity::Warning,
        meaning: "a name in a transcript may be none, or be misspelt",
        help: "In a transcript a name stands before what somebody says. A word that stands \
               before a colon only once, such as `Paris:`, may be somebody who speaks once, \
               or a word of who spoke before; and a name that differs from another one by a \
               letter may be a slip. The message says how it was read. To end the doubt, \
               list all who speak in the front matter: `speakers: [Ada, Wren, Paris]`; or \
               keep a line from opening a turn with a backslash: `Paris\\: a city`.",
    },
    Code {
        name: "doubtful-transcript",
        severity: Severity::Warning,
        meaning: "a text may be a transcript, and may be something else",
        help: "Names before what is said, such as `**Ada:**` or `Ada:`, open turns, but \
               labels such as `**Note:**` look the same. The message shows what is in \
               doubt. Until you decide, the text is not published. If it is a transcript, \
               list who speaks in its front matter, between two lines of three hyphens at \
               its top: `speakers: [Ada, Wren]`; or say so in site.toml: `[[source]]`, \
               `files = \"talk.md\"`, `format = \"markdown\"`. If not, write \
               `ignore = true` there instead of the format.",
    },
    Code {
        name: "duplicate-conversation",
        severity: Severity::Warning,
        meaning: "two files, or two rows of one, hold mostly the same conversation",
        help: "Both begin in the same way at the same time, and share more than half of \
               the turns of the shorter one; most often one was exported twice, or each \
               row of a log repeats the one before it. Both are published. Delete one of \
               them if they are the same.",
    },
    Code {
        name: "duplicate-description",
        severity: Severity::Hint,
        meaning: "several pages have the same description",
        help: "Only `check` says this, of pages that search engines may list. The pages \
               are published; search engines show descriptions to tell pages apart. Give \
               each conversation its own, such as `\"summary\": \"How the first program \
               was written\"` in its metadata.",
    },
    Code {
        name: "duplicate-id",
        severity: Severity::Warning,
        meaning: "the same id is used twice",
        help: "Two conversations with one id are both published; links to the id lead to \
               the other one. Two entries of a log with one id and the same text are \
               shown once, with different texts both are shown. Two messages of CJSON \
               with one id are both shown, and the results of two tool calls with one id \
               go to the nearest call before them. Give each its own id, or delete the \
               copy.",
    },
    Code {
        name: "duplicate-key",
        severity: Severity::Error,
        meaning: "a key about privacy is there twice and contradicts itself",
        help: "For example, one line says `private: true` and another one `private: \
               false`. To be safe the conversation or the turn counts as private and is \
               not published; a convo file is left out until it is mended. Remove one of \
               the two lines.",
    },
    Code {
        name: "duplicate-participant",
        severity: Severity::Warning,
        meaning: "a participant is listed twice",
        help: "The same name stands twice under `participants` of a convo file. The \
               conversation is published, and only the first entry counts. Remove the \
               second one, or give it another name if it is somebody else.",
    },
    Code {
        name: "duplicate-title",
        severity: Severity::Hint,
        meaning: "several pages have the same title",
        help: "Only `check` says this, of pages that search engines may list. The pages \
               are published, but readers and search engines cannot tell them apart. \
               Give each conversation its own title, such as `\"title\": \"A short \
               history\"`.",
    },
    Code {
        name: "edited-since",
        severity: Severity::Warning,
        meaning: "a file was edited by hand, and its export changed",
        help: "Only `import` says this. It wrote the file at an earlier time, somebody \
               edited it since then, and the export has the conversation with changes \
               of its own. The file stays as it is, so nothing that you wrote is lost. \
               If you want what the export says, move the file away, or run the import \
               with `--overwrite-edited`, and make your edits again.",
    },
    Code {
        name: "empty-collection",
        severity: Severity::Warning,
        meaning: "an `_index.md` is about no collection",
        help: "As a hint: no conversation of its folder is on the site, because they are \
               drafts or private, so the folder has no page. As a warning: it stands in \
               the folder of all conversations, which is no collection. What the home \
               page says stands in site.toml.",
    },
    Code {
        name: "empty-file",
        severity: Severity::Error,
        meaning: "the file is empty",
        help: "A file that ends in `.convo`, or that is read as a convo file for another \
               reason, has nothing in it. There is no page for it. Write a conversation \
               into it, or delete it.",
    },
    Code {
        name: "empty-turn",
        severity: Severity::Warning,
        meaning: "a turn says nothing",
        help: "A line such as `### @Ada` in a convo file has no text below it. The \
               conversation is published with an empty turn. Write what was said below \
               the line, or delete the line.",
    },
    Code {
        name: "everyday-name",
        severity: Severity::Warning,
        meaning: "a name that is taken off the site is an everyday word as well",
        help: "A name such as `Will` or `Rose` of somebody with `pseudonym = true` is \
               replaced in texts wherever it begins with a capital letter, because \
               nobody can tell there whether the person is meant: \"Will you come?\" gets \
               the made-up name as well. Speakers and mentions such as `@will` are \
               replaced in any case. If it is the name of a speaker, say in which files, \
               so that others keep the word: `names = [{ name = \"Will\", in = \"chats\" }]`; \
               `in = \".\"` says that all are meant, and that you know it. If it is \
               not, list the full name only, such as `Will Marsh`: of its parts those \
               that are everyday words stay as they are.",
    },
    Code {
        name: "example-base-url",
        severity: Severity::Warning,
        meaning: "`base_url` is an address for examples",
        help: "`base_url` in site.toml is an address such as `https://example.org`, \
               which a new site starts with. The site is published, but its sitemap, its \
               feeds and its own addresses name that place. Set it to the address at \
               which the site will stand, such as `base_url = \
               \"https://ada.github.io/talks/\"`, or to `\"\"`. The option `--base-url` \
               sets it for one run.",
    },
    Code {
        name: "expired-accept",
        severity: Severity::Warning,
        meaning: "an accepted finding is accepted no more",
        help: "An entry of gate.toml says until when a secret is accepted, and that day is over: \
               what it is about is treated as if the entry were not there. Look at it \
               again with `convo-site review`, or give the entry a later day.",
    },
    Code {
        name: "false-speakers",
        severity: Severity::Warning,
        meaning: "names in bold type were read as speakers and may be labels",
        help: "A `[[source]]` in site.toml, or `--from`, says that the file is in the \
               format `markdown`, but most of its names look like labels. It is read as \
               a transcript, so each label is shown as a speaker. Take that format away \
               if it is no conversation. If only some are labels, write a backslash \
               before the colon: `**Note\\:**`.",
    },
    Code {
        name: "file-name",
        severity: Severity::Hint,
        meaning: "the name of a file is not UTF-8",
        help: "The file is read, but its name can only be shown in part, here and on the \
               site. Give it a name in UTF-8.",
    },
    Code {
        name: "folder",
        severity: Severity::Warning,
        meaning: "a folder has the name of a conversation",
        help: "The name of the folder ends in `.convo`, as those of convo files do. The \
               files in it are read as in any other folder. Rename the folder to end the \
               warning.",
    },
    Code {
        name: "foreign-files",
        severity: Severity::Error,
        meaning: "the output folder holds files that are not from this site",
        help: "A build leaves them as they are, and whoever uploads the folder publishes \
               them. `check --publish` says as an error that nobody looked at what is in \
               them: put them elsewhere, or name those that shall go out, files and \
               folders, in site.toml: `extra_files = [\"verify.txt\", \"slides/\"]` below \
               `[deploy]`. Links are never meant. Files that hosts read, such as \
               `netlify.toml` and what is in `.well-known/`, need not be named. As a hint \
               it needs nothing to be done. As a warning it says that the list \
               `.convo-site-files` in the output folder is missing or damaged, so that \
               some of these files may be from earlier builds. Delete those: they may \
               show what is private now.",
    },
    Code {
        name: "front-matter",
        severity: Severity::Warning,
        meaning: "front matter stands above a convo file",
        help: "A convo file has its metadata in the object at the end. Of front matter \
               above it only what says whether the conversation is private is read; the \
               rest has no effect and is not shown. The conversation is published unless \
               it is private. Move what you need to the object, such as `\"title\": \"A \
               talk\"`.",
    },
    Code {
        name: "half-line",
        severity: Severity::Hint,
        meaning: "the last line of a log is not complete",
        help: "The program that writes the log had not finished its last line. This line \
               is left out, and the rest of the log is published. Nothing needs to be \
               done: once the line is complete, the next build shows it.",
    },
    Code {
        name: "held-back",
        severity: Severity::Warning,
        meaning: "something is held back because it is private",
        help: "As a hint it names the reason, where that is easy to miss: for example \
               `status: draft` in the metadata, or a file beside a log that says that it \
               is private. The conversation is not published. If it should be, change \
               what the hint names; `serve --include-private` shows it on your machine. As a \
               warning it says that `convert` left out a private conversation; \
               `--include-private` converts it, unless there is nothing in it that may \
               be shown.",
    },
    Code {
        name: "held-in-output",
        severity: Severity::Error,
        meaning: "the output folder still holds pages of a conversation that is held back",
        help: "Only `check --publish` says this. The conversation was on the site \
               at the last build; since then it became private, or a secret was \
               found in it, or it is not chosen any more. Its pages still stand \
               in the output folder. `convo-site build` removes them. If they \
               were uploaded already, upload the site again: they are public \
               until then.",
    },
    Code {
        name: "hidden-log",
        severity: Severity::Warning,
        meaning: "the log of a program is hidden, and not read",
        help: "aider writes its log beside the code, in a file whose name starts with a dot. Such \
               files are passed over wherever conversations are read, so none of its sessions is on \
               a page. `convo-site import --as aider FOLDER` lists the sessions of all logs below a \
               folder, hidden or not; with the folder of a site behind it, it brings them along. \
               Folders such as `.claude` and `.codex` are hidden in the same way: import them by \
               name.",
    },
    Code {
        name: "host-limit",
        severity: Severity::Error,
        meaning: "the site is larger than its host allows",
        help: "Only `check` says this, where `host` under `[deploy]` in site.toml names a \
               host whose limits are known: GitHub Pages, Netlify, Cloudflare Pages and \
               GitLab Pages. There are too many files, redirects or rules for headers, a \
               file is too large, or all files together are. The message gives the \
               numbers. As a warning it says that four fifths of a limit are reached, or \
               that a paid plan of the host takes the site. The hints say what can be \
               switched off and what that saves; otherwise make two sites of it, leave \
               out large files, or choose another host.",
    },
    Code {
        name: "image-metadata",
        severity: Severity::Warning,
        meaning: "an image is published with what it says of itself",
        help: "JPEG, PNG, GIF and WebP images are published without what is not the \
               picture, such as the place where it was taken. So are AVIF and HEIC \
               images as far as what is in them is known; this one has parts of other \
               kinds, which may say such things. Save it as JPEG, PNG or WebP, or see \
               what is in it with a program such as ExifTool.",
    },
    Code {
        name: "incomplete-podcast",
        severity: Severity::Warning,
        meaning: "a podcast or an episode lacks something",
        help: "The conversations of a `[[source]]` with `podcast = true` are the \
               episodes of `podcast.xml`. An episode needs a recording, and a date by \
               which applications put it in order; the podcast needs `base_url`, and \
               directories ask for a description, a category and a square cover of \
               1400 to 3000 pixels, which stand below `[podcast]` in site.toml. The \
               message says what there is not. The feed is written all the same, \
               without episodes that have no recording.",
    },
    Code {
        name: "internal",
        severity: Severity::Error,
        meaning: "the program itself has made a mistake",
        help: "This is a fault of convo-site and not of your files. Where the message \
               names a file, only that conversation or that page is left out, and the \
               rest is published. Otherwise the command has ended early. Please report \
               it with the message and, if you can, with the file.",
    },
    Code {
        name: "invalid-encoding",
        severity: Severity::Warning,
        meaning: "the file holds bytes that are no text",
        help: "Some bytes are not valid in the encoding of the file. The conversation is \
               published with the character U+FFFD (a question mark in a diamond) in \
               each of these places. Look at the first one, which the message names, and \
               save the file as UTF-8.",
    },
    Code {
        name: "large-file",
        severity: Severity::Warning,
        meaning: "the file is larger than 10 MB",
        help: "It is read and published, but readers may wait long for its pages. Make \
               several conversations of it if you can.",
    },
    Code {
        name: "lone-surrogate",
        severity: Severity::Warning,
        meaning: "half of a character is missing in JSON",
        help: "In JSON some characters are written as two codes, such as \
               `\\ud83d\\ude00`, and here one of the two stands alone. The conversation \
               is published with the character U+FFFD in its place. Write the missing \
               half or remove the code.",
    },
    Code {
        name: "long-line",
        severity: Severity::Warning,
        meaning: "a line is longer than 1 MB",
        help: "It is read and published, but editors and browsers may be slow with it. \
               Often data was written into the text of a conversation: if so, put it \
               into a file of its own.",
    },
    Code {
        name: "loss-actions",
        severity: Severity::Warning,
        meaning: "what tools did is shown as their arguments",
        help: "Only `convert` says this: it reads what it wrote and compares. The \
               original knows what a tool did, such as a change of a file or a search \
               with its results. In the new file only the arguments of the call are \
               left. Keep the original if you need it, or choose another format with \
               `--to`.",
    },
    Code {
        name: "loss-all",
        severity: Severity::Error,
        meaning: "a converted file is not recognised",
        help: "Only `convert` says this: it reads what it wrote and compares. The file \
               was written, but it is not recognised as a conversation of its own \
               format. Keep the original. A program that is told the format may read the \
               file: `format` in a `[[source]]` of site.toml, or `--from`.",
    },
    Code {
        name: "loss-attachments",
        severity: Severity::Warning,
        meaning: "attachments became plain text",
        help: "Only `convert` says this: it reads what it wrote and compares. The format \
               has no place for attachments, so they stand in the text. Keep the \
               original if you need it, or choose another format with `--to`.",
    },
    Code {
        name: "loss-branches",
        severity: Severity::Warning,
        meaning: "other versions of a conversation are lost",
        help: "Only `convert` says this: it reads what it wrote and compares. The format \
               holds one line of turns only: alternative answers and branches are \
               missing or changed in the new file. Keep the original if you need it, or \
               choose another format with `--to`.",
    },
    Code {
        name: "loss-citations",
        severity: Severity::Warning,
        meaning: "lists of sources became plain text",
        help: "Only `convert` says this: it reads what it wrote and compares. The \
               format has no place for the pages on which an answer is based, so they \
               stand in the text. Keep the original if you need it, or choose another \
               format with `--to`.",
    },
    Code {
        name: "loss-events",
        severity: Severity::Warning,
        meaning: "events became plain text",
        help: "Only `convert` says this: it reads what it wrote and compares. The format \
               has no place for events between turns, so they stand in the text. Keep \
               the original if you need it, or choose another format with `--to`.",
    },
    Code {
        name: "loss-format",
        severity: Severity::Warning,
        meaning: "a converted file may be taken for something else",
        help: "Only `convert` says this: it reads what it wrote and compares. The new \
               file is taken for another format, or for more than one conversation. Name \
               its format wherever it is read: `format` in a `[[source]]` of site.toml, \
               or `--from`.",
    },
    Code {
        name: "loss-languages",
        severity: Severity::Warning,
        meaning: "languages are lost",
        help: "Only `convert` says this: it reads what it wrote and compares. The new \
               file does not say all languages that the original declares. Keep the \
               original if you need it, or choose another format with `--to`.",
    },
    Code {
        name: "loss-metadata",
        severity: Severity::Warning,
        meaning: "fields of metadata are lost",
        help: "Only `convert` says this: it reads what it wrote and compares. The id of \
               the conversation, or fields that the format does not know, are missing or \
               changed in the new file. Keep the original if you need it, or choose \
               another format with `--to`.",
    },
    Code {
        name: "loss-parent",
        severity: Severity::Warning,
        meaning: "the link to an earlier conversation is lost",
        help: "Only `convert` says this: it reads what it wrote and compares. The \
               original says from which conversation it goes on; the new file does not. \
               Keep the original if you need it, or choose another format with `--to`.",
    },
    Code {
        name: "loss-participants",
        severity: Severity::Warning,
        meaning: "names, kinds or models of participants are lost",
        help: "Only `convert` says this: it reads what it wrote and compares. The format \
               cannot say all of what is known of a participant: its name, whether it is \
               a person or a program, its model, or other fields. Keep the original if \
               you need it, or choose another format with `--to`.",
    },
    Code {
        name: "loss-pending",
        severity: Severity::Warning,
        meaning: "marks of waiting messages are lost",
        help: "Only `convert` says this: it reads what it wrote and compares. The \
               original marks messages that wait for an answer or for delivery; the new \
               file does not. Keep the original if you need it, or choose another format \
               with `--to`.",
    },
    Code {
        name: "loss-pins",
        severity: Severity::Warning,
        meaning: "pins are lost",
        help: "Only `convert` says this: it reads what it wrote and compares. The \
               original marks messages as pinned; the new file does not. Keep the \
               original if you need it, or choose another format with `--to`.",
    },
    Code {
        name: "loss-preface",
        severity: Severity::Warning,
        meaning: "text before the first turn is lost or changed",
        help: "Only `convert` says this: it reads what it wrote and compares. The format \
               has no place for text that belongs to no speaker. Keep the original if \
               you need it, or choose another format with `--to`.",
    },
    Code {
        name: "loss-private",
        severity: Severity::Warning,
        meaning: "the new file does not say that it is private",
        help: "Only `convert` says this: it reads what it wrote and compares. The \
               original is private, and the format cannot say so. Whoever puts the new \
               file into a site publishes it. Keep it out of the content folder, or hold \
               it back with a `[[source]]` in site.toml that has `visibility = \
               \"private\"`.",
    },
    Code {
        name: "loss-speakers",
        severity: Severity::Warning,
        meaning: "speakers are lost or changed",
        help: "Only `convert` says this: it reads what it wrote and compares. Some turns \
               have another speaker in the new file, or the speakers follow in another \
               order. Keep the original if you need it, or choose another format with \
               `--to`.",
    },
    Code {
        name: "loss-tags",
        severity: Severity::Warning,
        meaning: "tags are lost",
        help: "Only `convert` says this: it reads what it wrote and compares. The new \
               file does not have all tags of the original. Keep the original if you \
               need it, or choose another format with `--to`.",
    },
    Code {
        name: "loss-text",
        severity: Severity::Warning,
        meaning: "a text reads differently",
        help: "Only `convert` says this: it reads what it wrote and compares. What \
               somebody says is not the same in the new file, or is missing. The message \
               names the turns. Compare them with the original, and keep it.",
    },
    Code {
        name: "loss-thinking",
        severity: Severity::Warning,
        meaning: "thoughts of a model became plain text",
        help: "Only `convert` says this: it reads what it wrote and compares. The format \
               has no place for what a model thinks before it answers, so it stands in \
               the text like everything else. Keep the original if you need it, or \
               choose another format with `--to`.",
    },
    Code {
        name: "loss-time",
        severity: Severity::Warning,
        meaning: "the time of a conversation is lost or changed",
        help: "Only `convert` says this: it reads what it wrote and compares. The new \
               file has no time for the conversation, or another one. Keep the original \
               if you need it, or choose another format with `--to`.",
    },
    Code {
        name: "loss-title",
        severity: Severity::Warning,
        meaning: "the title is lost or changed",
        help: "Only `convert` says this: it reads what it wrote and compares. The new \
               file has no title, or another one. Keep the original if you need it, or \
               choose another format with `--to`.",
    },
    Code {
        name: "loss-tool-details",
        severity: Severity::Warning,
        meaning: "details of tool calls are lost",
        help: "Only `convert` says this: it reads what it wrote and compares. The new \
               file has the tool calls, but not all that is known of them: arguments, \
               approvals, results, errors, durations or other fields. Keep the original \
               if you need it, or choose another format with `--to`.",
    },
    Code {
        name: "loss-tools",
        severity: Severity::Warning,
        meaning: "tool calls became plain text",
        help: "Only `convert` says this: it reads what it wrote and compares. The format \
               has no place for tool calls and their results, so they stand in the text. \
               Keep the original if you need it, or choose another format with `--to`.",
    },
    Code {
        name: "loss-turn-times",
        severity: Severity::Warning,
        meaning: "times of turns are lost or changed",
        help: "Only `convert` says this: it reads what it wrote and compares. The \
               original says when something was said; the new file says it of fewer \
               turns, or otherwise. Keep the original if you need it, or choose another \
               format with `--to`.",
    },
    Code {
        name: "loss-turns",
        severity: Severity::Warning,
        meaning: "there are more or fewer turns than before",
        help: "Only `convert` says this: it reads what it wrote and compares. Turns were \
               joined or split in the new file. Keep the original if you need it, or \
               choose another format with `--to`.",
    },
    Code {
        name: "loss-type",
        severity: Severity::Warning,
        meaning: "the type of a conversation is lost or changed",
        help: "Only `convert` says this: it reads what it wrote and compares. The \
               original says what kind of conversation it is, such as `\"type\": \
               \"interview\"`; the new file does not say the same. Keep the original if \
               you need it, or choose another format with `--to`.",
    },
    Code {
        name: "loss-unknown",
        severity: Severity::Warning,
        meaning: "unknown parts became plain text",
        help: "Only `convert` says this: it reads what it wrote and compares. The \
               original holds parts that convo-site does not know; in the new file they \
               stand in the text. Keep the original if you need it, or choose another \
               format with `--to`.",
    },
    Code {
        name: "loss-usage",
        severity: Severity::Warning,
        meaning: "what turns cost is lost",
        help: "Only `convert` says this: it reads what it wrote and compares. The \
               original says of turns which model made them, how many tokens they took, \
               or what they cost; the new file does not. Keep the original if you need \
               it, or choose another format with `--to`.",
    },
    Code {
        name: "loss-withheld",
        severity: Severity::Warning,
        meaning: "instructions of a program are left out",
        help: "Only `convert` says this. The original has system prompts or other \
               instructions of a program, which no site shows unless a `[[source]]` has \
               `show_system = true`. The format cannot mark them as such, so that they \
               would be shown, and they are left out. Keep the original if you need \
               them, or choose `cjson` with `--to`.",
    },
    Code {
        name: "lost-message",
        severity: Severity::Warning,
        meaning: "a message names one before it that is not there",
        help: "This is about databases of `llm`: each message names the one before it, and \
               one that is named is not in the database, or follows itself. What is behind \
               it is published. If the database was copied while `llm` ran, copy it again, \
               with what lies beside it.",
    },
    Code {
        name: "made-up-time",
        severity: Severity::Warning,
        meaning: "a converted file has a time that nobody stated",
        help: "Only `convert` says this: it reads what it wrote and compares. The format \
               asks for a time where the original has none, so one was made up. Correct \
               the time in the new file if you know it.",
    },
    Code {
        name: "merged",
        severity: Severity::Hint,
        meaning: "a conversation is there more than once, and became one page",
        help: "Two exports hold the same conversation, or a session was resumed or \
               copied to another file. They are one conversation by the id that their \
               vendor gave it: its page has the turns of all of them, each once, in the \
               newest wording. Nothing needs to be done.",
    },
    Code {
        name: "missing-attachment",
        severity: Severity::Warning,
        meaning: "an attachment is not there",
        help: "It has neither data nor an address, or there is no file at its address. \
               The conversation is published with a placeholder in its place. Addresses \
               are relative to the file of the conversation: put the attachment there, \
               or correct the address.",
    },
    Code {
        name: "missing-image",
        severity: Severity::Warning,
        meaning: "an image is not there",
        help: "There is no file at the address of an image. The conversation is \
               published; the description of the image and the address stand there as \
               text. The address is relative to the file of the conversation: for `![A \
               clock](clock.png)` put `clock.png` into the same folder.",
    },
    Code {
        name: "missing-key",
        severity: Severity::Error,
        meaning: "something that is required is missing",
        help: "A convo file without `type`, `time`, `participants` or the name of a \
               participant is left out, and so is a conv2md file without `messages`. In \
               conv2md, vlinder and chibi files an entry is left out that does not say \
               enough. In a `[[source]]` of site.toml `files` is required, and nothing \
               is written without it.\n\n\
               A warning says that something less important is missing, such as \
               `schemaUrl` in CJSON: the conversation is published without it. The \
               message names what is missing; add it, or export the file again.",
    },
    Code {
        name: "missing-message",
        severity: Severity::Warning,
        meaning: "a timeline names a message that is not there",
        help: "This is about the folders of vlinder: a file in `timelines/` names a \
               message folder that does not exist. The conversation is published without \
               this message. Bring the folder back, or take its line out of the \
               timeline.",
    },
    Code {
        name: "missing-people-key",
        severity: Severity::Error,
        meaning: "the secret from which names are made up is missing",
        help: "`[people]` in site.toml asks for made-up names. They are made from a \
               secret in the file `people.key` beside site.toml, so that nobody who \
               reads the site can try names until one fits. `convo-site build` makes \
               the file if it is not there. If there was one, put it back: with \
               another secret everybody gets another name, and pages whose titles \
               have names get other addresses. Keep it where the conversations are, \
               and do not publish it. A server that builds or checks the site and shall \
               not have the file, such as one for CI, gets what stands in it as the \
               variable `CONVO_SITE_PEOPLE_KEY` of the environment, which its settings \
               for secrets can hold; that goes before the file.",
    },
    Code {
        name: "missing-recording",
        severity: Severity::Warning,
        meaning: "there is no recording where one is named",
        help: "`media` in front matter, in the head of a file or in a `[[source]]` \
               names the recording of a conversation: a file of the content folder, \
               or an address that starts with `https://`. A path is relative to the \
               file that names it, in a `[[source]]` to the content folder, and leads \
               to nothing outside of that. The page is published without a player.",
    },
    Code {
        name: "misspelled-key",
        severity: Severity::Warning,
        meaning: "a key looks like a misspelled `private`",
        help: "A key in the metadata of a conversation or a turn is one letter away from \
               `private`, `visibility` or another key that says who may read it, or \
               when, such as `draft`, `publish` or `expires`. To be safe it counts as \
               that key: with `privte: true` or `draf: true` what it is about is not \
               published, and a day under `pubish` or `expries` counts. Correct the \
               spelling, or give the key another name.",
    },
    Code {
        name: "more-addresses",
        severity: Severity::Warning,
        meaning: "a turn has many addresses that cannot be shown as links or images",
        help: "The first hundred are told one by one, and the message gives the number \
               of the others. The conversation is published; the addresses stand there \
               as text, or as links instead of images. Mend what is told one by one, and \
               the others will be told next.",
    },
    Code {
        name: "more-notes",
        severity: Severity::Error,
        meaning: "a file has more than 10,000 problems of one kind",
        help: "The first 10,000 are told one by one, and the message gives the number of \
               the others and names their code. It is an error, a warning or a hint, as \
               these are. Often the file is damaged, or is read in the wrong format: \
               name the right one with `format` in a `[[source]]` of site.toml.",
    },
    Code {
        name: "names-differ",
        severity: Severity::Warning,
        meaning: "the file name and the session name different agents",
        help: "The name of a vlinder session file and the key `agent` in it do not \
               agree. The conversation is published with the name in the session. Rename \
               the file or change `agent` if that is wrong.",
    },
    Code {
        name: "near-name",
        severity: Severity::Hint,
        meaning: "words are near a name that is taken off the site, and stayed",
        help: "Names of people with made-up names are replaced in all their forms: in small \
               letters where they are rare, with letters of other alphabets that look alike, \
               in Base64 and quoted-printable, and before the `@` of addresses. Some words \
               are only near a name: a short one in small letters, one that is in a longer \
               word, or one of somebody who does not write. Those stay, and are counted. If \
               somebody is meant, add what is written there to the `names` of that person \
               in `[people]`.",
    },
    Code {
        name: "no-base-url",
        severity: Severity::Warning,
        meaning: "`base_url` is not set",
        help: "The site is published, but without a sitemap, feeds and the addresses \
               that search engines need. Set it in site.toml to the address at which the \
               site will stand, such as `base_url = \"https://ada.github.io/talks/\"`, \
               or give `--base-url` on the command line.",
    },
    Code {
        name: "no-blank-line",
        severity: Severity::Error,
        meaning: "no blank line stands above the metadata",
        help: "In a convo file the line of dashes before the object needs a blank line \
               above it; without one the dashes make a heading of the text above. The \
               conversation is left out. Put an empty line above the dashes.",
    },
    Code {
        name: "no-content",
        severity: Severity::Warning,
        meaning: "the folder of conversations is empty",
        help: "The site is published without any conversation. Put conversations into \
               the folder, or name another one with `content` in site.toml, such as \
               `content = \"texts/talks\"`.",
    },
    Code {
        name: "no-content-folder",
        severity: Severity::Error,
        meaning: "the folder of conversations is not there",
        help: "The folder that `content` in site.toml names does not exist or cannot be \
               read; its default is `content`. Nothing is written, and the site stays as \
               it was. Make the folder, check that you may read it, or change `content`. \
               A link that leads out of the site folder is not followed.",
    },
    Code {
        name: "no-conversations",
        severity: Severity::Error,
        meaning: "the folder of conversations holds files but no conversation",
        help: "Nothing in the folder could be read as a conversation, so the site is \
               published without any. Other messages say of each file what it looks \
               like. `convo-site list formats` shows what can be read; `content` in \
               site.toml names another folder.",
    },
    Code {
        name: "no-host",
        severity: Severity::Hint,
        meaning: "no host is named, so that the limits of none were tried",
        help: "Only `check --publish` says this. Hosts take so many files, files of such \
               a size, and so many redirects. Name yours in site.toml, as `host = \
               \"github-pages\"`, `\"netlify\"` or `\"cloudflare-pages\"` below `[deploy]`, \
               and the site is held against what it takes; `\"other\"` says that there is \
               nothing to try.",
    },
    Code {
        name: "no-metadata",
        severity: Severity::Error,
        meaning: "a convo file does not end with its metadata",
        help: "A convo file ends with a line of at least four dashes and one JSON object \
               behind it. Without them the conversation is left out. As a warning it is \
               about another file, such as a `.md` file, with lines such as `### @Ada`: \
               it is not published either. Add an empty line at the end, a line `----`, \
               and below it an object such as `{ \"type\": \"dialog\", \"time\": \
               \"2026-03-04\", \"participants\": [\"Ada\"] }`.",
    },
    Code {
        name: "no-output",
        severity: Severity::Error,
        meaning: "the output folder holds no site",
        help: "Only `check --publish` says this. It looks at the site that stands \
               on the disk, and there is none. Run `convo-site build` before it; \
               where that has an option `-o`, give the same to `check --publish`.",
    },
    Code {
        name: "no-pictures",
        severity: Severity::Error,
        meaning: "the site wants pictures that this program cannot draw",
        help: "`per_conversation` under `[og_images]` in site.toml asks for a picture of \
               each conversation. This convo-site was built without the feature \
               `pictures`, so there are none; everything else is built. Install one \
               that was built with it, as it is unless somebody chose otherwise, or \
               take the line out.",
    },
    Code {
        name: "no-site",
        severity: Severity::Error,
        meaning: "the folder is not a site",
        help: "A site is a folder that holds a `site.toml`. The command does nothing \
               without one. Name the right folder on the command line, or start a site \
               with `convo-site init my-talks`.",
    },
    Code {
        name: "no-target",
        severity: Severity::Hint,
        meaning: "a link leads to nothing on the site",
        help: "A conversation links to a file or a page that is not there, so the \
               address is shown as text and not as a link. Addresses are relative to the \
               file of the conversation, such as `[the talk](../2025/talk.convo)`. If \
               nothing should be there, nothing needs to be done.",
    },
    Code {
        name: "no-turns",
        severity: Severity::Error,
        meaning: "nobody says anything in the file",
        help: "There is no page for a conversation without turns. It is an error in \
               convo files, Markdown transcripts and conv2md, a warning in logs of chibi \
               and sessions of vlinder, and a hint in CJSON, captions and logs of other \
               programs. Open a turn with a line such as `### @Ada` in a convo file or \
               `**Ada:** Hello` in a transcript, or delete the file.",
    },
    Code {
        name: "not-an-image",
        severity: Severity::Warning,
        meaning: "a file that a conversation refers to is not an image",
        help: "Of the files beside a conversation only images are published: PNG, JPEG, \
               GIF, WebP and AVIF. An image or a link leads to another kind of file, so \
               its address is shown as text, and the file is not published. Save the \
               picture in one of these formats, or link to a place on the web instead.",
    },
    Code {
        name: "not-generative",
        severity: Severity::Warning,
        meaning: "a participant has a model but is not said to be generative",
        help: "In a convo file a participant with `\"generative:model\"` needs \
               `\"generative\": true` beside it. Without it the participant is published \
               as a person, unless `\"kind\"` says something else. Add `\"generative\": \
               true`, or remove the model if it is a person.",
    },
    Code {
        name: "not-indexed",
        severity: Severity::Hint,
        meaning: "search engines are asked not to list a page",
        help: "With `index = \"auto\"` in site.toml this is so for conversations that \
               are short, have no title of their own, are not reviewed, or say nearly \
               the same as an older one. The page is published, and readers find it on \
               the site. `\"index\": true` in the metadata of the conversation lists it \
               all the same.",
    },
    Code {
        name: "not-media",
        severity: Severity::Warning,
        meaning: "an attachment is not what it is said to be",
        help: "The conversation calls it an image, a sound or a video, but its data is \
               nothing that browsers show as such. It is published as a file that \
               readers can download. Correct its kind, or replace the file.",
    },
    Code {
        name: "not-redacted",
        severity: Severity::Error,
        meaning: "a conversation cannot be redacted",
        help: "`import --redact` looks through each file as it is to be written. In this one \
               there is still a secret, a word of `[[redact]]` or a name that is to be in no \
               public file, in a place where it cannot be replaced, so the file was not \
               written. Import the conversation without `--redact`, into a site whose \
               sources are in no public repository.",
    },
    Code {
        name: "not-shown",
        severity: Severity::Hint,
        meaning: "records of a log are not shown",
        help: "A program writes more into its log than what is said: progress, \
               snapshots of files, settings, the output of hooks. The message counts \
               such records. They are never published. Nothing needs to be done.",
    },
    Code {
        name: "not-utf-8",
        severity: Severity::Warning,
        meaning: "the file is in an older encoding",
        help: "The file is not UTF-8. It was read in the encoding that it looks like, \
               which the message names, and is published. If letters look wrong on the \
               page, the guess was wrong. Save the file as UTF-8, for example with \
               `iconv -f windows-1252 -t UTF-8`.",
    },
    Code {
        name: "nul",
        severity: Severity::Warning,
        meaning: "the file holds zero bytes",
        help: "No page can hold a byte of zero (NUL). The conversation is published with \
               the character U+FFFD in its place. Remove these bytes; often the file was \
               damaged while it was copied or written.",
    },
    Code {
        name: "odd-time",
        severity: Severity::Warning,
        meaning: "a number for a time is very large or very small",
        help: "A time that is a number is read as seconds since the start of 1970. This \
               one lies outside of the years 1970 to 2099, or is too large for seconds. \
               One that fits as milli-, micro- or nanoseconds is read so; one that fits \
               no calendar is left out. The conversation is published; compare the times \
               on its page with the right ones.",
    },
    Code {
        name: "original-withheld",
        severity: Severity::Hint,
        meaning: "a file is not offered to readers as it is",
        help: "`downloads` in site.toml offers readers the file from which a conversation was \
               read. In this one stands something that is redacted on the page, or a \
               secret that the page does not show, so only the page and the other \
               downloads are published.",
    },
    Code {
        name: "orphan-page",
        severity: Severity::Warning,
        meaning: "no link on the site leads to a page",
        help: "Only `check` says this, of pages that search engines may list. The page \
               is published, but readers cannot get there from the home page. A template \
               of your own may have left out a list or a link to the next page.",
    },
    Code {
        name: "orphan-parent",
        severity: Severity::Warning,
        meaning: "the conversation before this one is not there",
        help: "A conversation says that it goes on from another one, but no conversation \
               on the site has that id. It is published without a link to it. Add the \
               other conversation, or correct the id. A conversation that is held back \
               as private counts as not there.",
    },
    Code {
        name: "orphan-result",
        severity: Severity::Warning,
        meaning: "the result of a tool has no call",
        help: "In a log of chibi or in CJSON there is a result (or an approval) of a \
               tool call, and the call itself is not there. It is published by itself. In a \
               log of Claude Code it is not published: nobody knows whether its tool reads \
               what is somebody's own, so a placeholder stands in its place. The call may stand in a part of the log that is missing; add that part, \
               or correct the id of the call.",
    },
    Code {
        name: "outdated-copy",
        severity: Severity::Warning,
        meaning: "a built-in template has changed since it was copied",
        help: "`convo-site theme eject` copied this template into the site, and the program has \
               another version of it now, so that the copy may lack something or ask for \
               something that is no more. The copy is used. Print the built-in one with \
               `--print`, take over what you need, and its first line as well. If only a part \
               is to be another, no copy is needed: a template that begins with `{% extends \
               \"built-in/base.html\" %}` fills the blocks that it names.",
    },
    Code {
        name: "outside-base",
        severity: Severity::Error,
        meaning: "a link leads to the same host, but out of the site",
        help: "Only `check` says this. The site stands below a path, such as `/talks/`, \
               and a link starts with `/` or with the host's own address and leads \
               beside that path. Most often a template of your own has a link such as \
               `/about/` that should be `/talks/about/`. Write the path of `base_url` \
               before it, or remove the link.",
    },
    Code {
        name: "page-too-large",
        severity: Severity::Warning,
        meaning: "a page is larger than 1.5 MB",
        help: "Only `check` says this. The page is published, but search engines read \
               the first 2 MB only, and readers wait. Lower `page_turns` or \
               `page_kilobytes` in site.toml, so that the conversation stands on more \
               pages, or shorten a very long turn.",
    },
    Code {
        name: "parent-cycle",
        severity: Severity::Warning,
        meaning: "conversations go on from one another in a circle",
        help: "Each says that it goes on from the one before, and following that never \
               ends. They are published without links to one another. Correct `parentId` \
               in one of them.",
    },
    Code {
        name: "path-taken",
        severity: Severity::Error,
        meaning: "two files of the site want the same address",
        help: "The first keeps the address, and the other one is left out. Most often it \
               is a redirect: an address under `aliases` of a conversation or in \
               `[redirects]` of site.toml is that of a page that stands there now. Take \
               it out or choose another one.",
    },
    Code {
        name: "people-key-made",
        severity: Severity::Warning,
        meaning: "a new secret was made, from which names are made up",
        help: "`[people]` in site.toml asks for made-up names, and there was no file \
               `people.key` beside site.toml, so one was made. Keep it with the \
               conversations: with another secret everybody gets another name. \
               Whoever has it can try which name became which, so show it to nobody. \
               If this is told again on another machine or at every build of a \
               server, the file is not there: bring it along as you bring the \
               conversations.",
    },
    Code {
        name: "personal-data",
        severity: Severity::Warning,
        meaning: "personal data is published",
        help: "Conversations hold e-mail addresses, phone numbers or the like, and `personal = \
               \"warn\"` in `[gate]` of site.toml asks for this warning. `personal = \
               \"redact\"` puts a placeholder in their place, and `[gate.rules]` decides \
               about single kinds of them.",
    },
    Code {
        name: "plain-text",
        severity: Severity::Warning,
        meaning: "a turn is too large to be read as Markdown",
        help: "A turn has more than a million lines and marks. It is published as plain \
               text, without headings, links and other markup. Cut it into several \
               turns, or put long data into a file of its own.",
    },
    Code {
        name: "preface",
        severity: Severity::Warning,
        meaning: "text stands before the first turn",
        help: "In a convo file or a transcript there is text above the first speaker. It \
               is published above the first turn, as an introduction. If somebody says \
               it, put a line such as `### @Ada` above it in a convo file, or begin it \
               with `**Ada:**` in a transcript.",
    },
    Code {
        name: "quoted-heads",
        severity: Severity::Hint,
        meaning: "lines of a message look like messages of others",
        help: "LINE puts a message of several lines into quotation marks, and this one has lines in \
               it that begin as messages do, with a time and a name. They are shown as what whoever \
               sent it said: somebody may have copied them, or made them up. If they are messages \
               all the same, take the quotation mark away with which the first one begins.",
    },
    Code {
        name: "redacted",
        severity: Severity::Hint,
        meaning: "something is redacted",
        help: "As site.toml or gate.toml asks for, a placeholder stands in the place of secrets, \
               personal data or words of a `[[redact]]`: on pages, in their addresses, \
               in downloads, feeds and the search. Files of the content folder are \
               never changed. A secret that anybody else may have seen must be revoked \
               where it was issued; taking it off a site does not do that.",
    },
    Code {
        name: "redacted-attachment",
        severity: Severity::Warning,
        meaning: "an attached file is not published",
        help: "In a file that is attached to a conversation stands something that is redacted. \
               Files are published as they are or not at all, so a placeholder stands in \
               its place. Take what is to be hidden out of the file, or accept it with \
               `convo-site review`.",
    },
    Code {
        name: "refused-address",
        severity: Severity::Warning,
        meaning: "an address is not allowed on pages",
        help: "Pages carry addresses that start with `https:`, `http:` or `mailto:`, and \
               relative ones; others can run programs or lead to a reader's own files. \
               The conversation is published, with the address as text, or with a \
               placeholder if it is the address of an attachment. Write an allowed \
               address; spaces at its ends and backslashes are not allowed either.",
    },
    Code {
        name: "refused-attachment",
        severity: Severity::Warning,
        meaning: "an attachment is a file of conversations",
        help: "Its address leads to a file that is read as conversations, or looks like \
               one. Such a file may hold private texts, so it is not published; a \
               placeholder stands in its place. Link to the conversation in a text \
               instead, or attach another file.",
    },
    Code {
        name: "refused-recording",
        severity: Severity::Warning,
        meaning: "a recording is not published or not played",
        help: "Pages play what lies in the content folder, and what is on a host that \
               `allow` of `[services]` in site.toml names for `media`; no other \
               address, and only sound and films that browsers know: MP3, M4A, Opus, \
               Ogg, FLAC, WAV, MP4 and WebM. A recording that a `[[source]]` holds \
               back is not published. Where names were replaced, or something was \
               redacted or left out of a conversation, the recording that lies beside \
               it says what the page does not, and is not published either, not even \
               with another transcript of it: cut it, and name it by `media = \"…\"`, \
               which says that everybody may hear it. An address on another host in \
               which a name was replaced, or something is redacted, is not played.",
    },
    Code {
        name: "remote-image",
        severity: Severity::Hint,
        meaning: "an image on another host is shown as a link",
        help: "Pages load nothing from other hosts, because that tells them who reads. \
               The conversation is published with a link in place of the image. Save the \
               image beside the conversation, or allow its host in site.toml: \
               `image_hosts = [\"images.example.org\"]`, for addresses that start with \
               `https:`.",
    },
    Code {
        name: "repeated-key",
        severity: Severity::Warning,
        meaning: "a key of JSON is there twice",
        help: "The same key stands twice in one object, and the last one counts. The \
               conversation is published. Remove one of the two. Of keys that say who \
               may read it, each one counts.",
    },
    Code {
        name: "same-address",
        severity: Severity::Warning,
        meaning: "two collections want to stand at the same address",
        help: "The address of a collection is made from the name of its folder, or from \
               the name of the series. The second one has a tail behind its address, \
               which stays as long as both are there. Give one of them another name. If \
               a folder is meant to be the series, write `series: NAME` into its \
               `_index.md`.",
    },
    Code {
        name: "same-part",
        severity: Severity::Warning,
        meaning: "two parts of a series have the same number",
        help: "Two conversations of one series say the same `series_order`. Both are in \
               the series, the older one first. Give one of them another number.",
    },
    Code {
        name: "search-engine",
        severity: Severity::Error,
        meaning: "a search engine cannot be asked, or refuses something",
        help: "`search-index --to opensearch` and `search --engine` ask an engine. Where it \
               is busy or away they ask again for some minutes, and say what it \
               answered at last. What was sent stays there: the same command goes on \
               where it stopped. A single turn that the engine does not take, such as \
               one that is too large for it, is told of by the folder of its \
               conversation; everything else is found.\n\n\
               Who asks is said by CONVO_SITE_ENGINE_CREDENTIALS, `name:password` or \
               such as `ApiKey …`, or by the file that \
               CONVO_SITE_ENGINE_CREDENTIALS_FILE names; it goes by https only, or to \
               this machine.",
    },
    Code {
        name: "secret-found",
        severity: Severity::Warning,
        meaning: "what may be a secret is published",
        help: "Something looks like a password, a key or a token, and may be none; or `[gate]` in \
               site.toml says that secrets of this kind are published with a warning. If \
               it is one, revoke it where it was issued, and let `[gate.rules]` redact \
               it. If it is none, `convo-site review` accepts it: that writes an entry \
               without the secret itself into gate.toml.",
    },
    Code {
        name: "secret-held",
        severity: Severity::Error,
        meaning: "a secret holds a conversation back",
        help: "A password, a key, a token or the like stands in a conversation, which is \
               therefore not published; what an earlier build published of it is \
               removed. The message shows at most the first four and the last two \
               characters. Taking it off a site does not revoke it: revoke it first, \
               where it was issued. Then let it be redacted, by `[gate]` or \
               `[gate.rules]` in site.toml, or look at all findings with `convo-site \
               review`, which also accepts what is no secret.\n\n\
               A word of a `[[redact]]` holds a conversation back where it cannot be \
               taken out, and readers would still see it: write it there without \
               links and other marks within it.",
    },
    Code {
        name: "secret-in-output",
        severity: Severity::Error,
        meaning: "a file of others in the output folder holds a secret",
        help: "Only `check --publish` says this. What stands in the output folder \
               goes out with the site, whoever put it there. A build leaves files \
               of others alone, so nothing in them is redacted. Put the file \
               elsewhere. If it was published, revoke the secret where it was \
               issued.",
    },
    Code {
        name: "secret-in-site",
        severity: Severity::Error,
        meaning: "the site's own stylesheet, script or site.toml holds a secret",
        help: "`style.css` and `script.js` beside site.toml go out with the site as they are, \
               and what site.toml says stands on pages, so nothing in them may be secret, nor \
               a word of `[[redact]]` or a name that has a made-up one. Such a file is not \
               published; in texts of site.toml it is redacted. Take it out. \
               If a secret was published, revoke it where it was issued.",
    },
    Code {
        name: "secret-missed",
        severity: Severity::Error,
        meaning: "the last check found a secret that the first one missed",
        help: "Every conversation is searched for secrets when it is read, and everything that is \
               derived from it or written to the output is searched once more. This secret was \
               found only the second time, for example because markup splits it. The conversation \
               or the file was not published. That the first search missed it is a bug in \
               convo-site: please report the kind of secret and the markup around it, never the \
               secret itself. Revoke the secret if the site was published before.",
    },
    Code {
        name: "silent-participant",
        severity: Severity::Error,
        meaning: "a participant never speaks",
        help: "In a convo file everybody under `participants` must have at least one \
               turn. The conversation is left out. Correct the name, so that it is \
               written as in `### @Ada`, or remove it from `participants`.",
    },
    Code {
        name: "speakers-without-page",
        severity: Severity::Hint,
        meaning: "very many speakers say little, and have no page of their own",
        help: "The page of a speaker lists their conversations. Where very many speakers say \
               little, these pages would be many times larger than what was said, so only \
               those speakers have one who say at least 200 words, and 40 more for each \
               conversation. As long as the words that are missing are those of at most 1,000 \
               such pages, everybody has one. All speakers are named where they speak, and \
               search finds them.",
    },
    Code {
        name: "special-file",
        severity: Severity::Warning,
        meaning: "something in a folder is neither a file nor a folder",
        help: "It is a device, a pipe or a socket, and it is not read. Everything else \
               is published. Move it away to end the warning.",
    },
    Code {
        name: "stale-output",
        severity: Severity::Error,
        meaning: "the output folder is not the site that was checked",
        help: "Only `check --publish` says this. Files are missing, or are not \
               what a build would write now, or are from an earlier build. \
               Something changed since the last build, or it had other options: \
               `--base-url`, `--env`, `--today` and `--include-private` change \
               what is written. Run `convo-site build` with the options of the \
               check, and check again. Where the list `.convo-site-files` is \
               lost, nobody knows which files are from earlier builds: delete \
               those, as they may show what is held back now.",
    },
    Code {
        name: "static-refused",
        severity: Severity::Error,
        meaning: "a file of `static/` is not copied",
        help: "What stands in `static/` is copied into the site as it is, for everybody to \
               read. This file looks as if it was not meant to be: its name starts with a \
               dot or is that of a key, it holds conversations or says that it is private, \
               it is an archive, into which nobody looks, or a damaged picture, or something \
               in it or in its name is a secret, is redacted on pages, or names somebody who \
               is not to be named. Take it out of the folder.",
    },
    Code {
        name: "stray-rows",
        severity: Severity::Warning,
        meaning: "rows of a database belong to no conversation",
        help: "A database has rows with words in them that name no conversation, or one that is \
               not in it, such as what is left of a session that was deleted. They are on no \
               page. If they should be, copy the database again while its program is closed, \
               with what lies beside it.",
    },
    Code {
        name: "symlink",
        severity: Severity::Warning,
        meaning: "a symbolic link is not followed",
        help: "Links may lead out of the site or in a circle, so what they lead to is \
               not read and not published. Put the file or the folder itself there.",
    },
    Code {
        name: "system",
        severity: Severity::Error,
        meaning: "the computer refused something",
        help: "A file or a folder could not be read, written or removed, and the command \
               has stopped. The message says which one and why: for example the disk is \
               full, you may not write there, or something in the output folder is in \
               the way that is not from this site. Every file of the site is complete, \
               old or new. Mend the cause and run the command again.",
    },
    Code {
        name: "telling-name",
        severity: Severity::Error,
        meaning: "the name of a file tells what is to be on no page",
        help: "The address of a page in `pages/` and of a collection comes from the names of \
               its file and folder, and this one holds a word of `[[redact]]`, a secret, or \
               the name of somebody who has a made-up one. It is not published. Rename it.",
    },
    Code {
        name: "text-after-metadata",
        severity: Severity::Error,
        meaning: "text stands behind the metadata",
        help: "In a convo file the object behind the line of dashes must be the last \
               thing in the file. The conversation is left out. Move the text above the \
               line of dashes, or delete it.",
    },
    Code {
        name: "too-large",
        severity: Severity::Error,
        meaning: "a file or a turn is too large",
        help: "Left out are files that must be read at once and are larger than 64 MB, \
               conversations of an export that are, convo files with more than 300,000 turns, and conversations with a turn \
                longer than 16 MB or, in an export of ChatGPT or Claude, more than 250,000 messages. Of a \
               log with a line longer than 64 MB, this line and what follows are left out. Cut \
               it into several files or turns. A conversation of very many people is left out as \
               well where all of them are to get made-up names, and there are too many to look \
               for.",
    },
    Code {
        name: "too-long",
        severity: Severity::Warning,
        meaning: "a word about a conversation is too long",
        help: "A title, a tag, a type, the name of a model or of a speaker, or a list of tags is \
               longer than pages can repeat. The message says which. Titles, types, models \
               and speakers are cut, and tags that are too long, or too many, are left out. \
               The conversation is published, and `convert` keeps all of it, except for the \
               name of a speaker, which is cut after 1,000 characters wherever it is read.",
    },
    Code {
        name: "too-many-branches",
        severity: Severity::Warning,
        meaning: "what was said instead of one turn is too much for a page",
        help: "All other answers to one question stand on the page of that question, and \
               so does what was said after each of them. Of more than 12 MB of such a page \
               the first are published, and the rest is left out, with what was said after \
               it. The way that was shown last is published whole. `convert` keeps all of \
               it.",
    },
    Code {
        name: "trailing-comma",
        severity: Severity::Warning,
        meaning: "JSON has a comma too much",
        help: "A comma stands before `]` or `}`, which JSON does not allow. It is \
               ignored here, and the conversation is published, but other programs may \
               refuse the file. Remove the comma.",
    },
    Code {
        name: "turns-held-back",
        severity: Severity::Hint,
        meaning: "some turns are private or deleted",
        help: "Turns that say that they are private, and messages that were deleted, are \
               not published; the rest of the conversation is. The message gives their \
               number and the place of the first. If a turn should be shown, remove what \
               says that it is private.",
    },
    Code {
        name: "two-preferred",
        severity: Severity::Warning,
        meaning: "two answers at the same place are both preferred",
        help: "In CJSON several messages with the same `index` are alternatives, and one \
               of them may have `\"isPreferred\": true`. Here more than one has it: all \
               are published, and the first of these is shown first. Remove the mark \
               from the others.",
    },
    Code {
        name: "two-recordings",
        severity: Severity::Hint,
        meaning: "several recordings lie beside a conversation",
        help: "The recording of a conversation is the file beside it that has the \
               same name with another ending. Of several, films come first, and then \
               M4A, MP3, Opus, Ogg, FLAC and WAV; one that browsers do not play is \
               passed over. The others are not published. \
               `media = \"…\"` in front matter or in a `[[source]]` names another \
               one.",
    },
    Code {
        name: "unclosed-block",
        severity: Severity::Warning,
        meaning: "a code block or HTML block was not closed",
        help: "It would hide the next turn, so it was ended before that turn, and all \
               turns are published. Close the block, for example with a line of three \
               backticks; the message says in which line it opens. If the line of the \
               speaker is a part of the code, write it as `\\#\\#\\# @Ada` in a convo \
               file, or as `**Ada\\:**` in a transcript.",
    },
    Code {
        name: "undeclared-speaker",
        severity: Severity::Error,
        meaning: "somebody speaks who is not among the participants",
        help: "In a convo file the name of every speaker must stand under \
               `participants`. The conversation is left out. Add the name, such as \
               `\"participants\": [\"Ada\", \"Wren\"]`, or correct it where it is \
               misspelled.",
    },
    Code {
        name: "unknown-attachment",
        severity: Severity::Warning,
        meaning: "the kind of an attachment is not known",
        help: "CJSON has no such `attachmentKind`. The attachment is published all the \
               same, and shown as what its data is. Correct the kind, or export the file \
               again.",
    },
    Code {
        name: "unknown-block",
        severity: Severity::Warning,
        meaning: "a part of a message is not known",
        help: "CJSON has no such `blockType`, or the part has none. It is published as \
               it stands in the file, as data, and the rest of the message is read as \
               usual. Correct its type, or remove it if it should not be shown.",
    },
    Code {
        name: "unknown-entry",
        severity: Severity::Warning,
        meaning: "an entry of a log is of an unknown type",
        help: "The `entry_type` of a line of chibi, or the type of a message of vlinder, \
               is not known. The entry is published as it stands in the file, as data. \
               Correct its type, or remove it if it should not be shown.",
    },
    Code {
        name: "unknown-file",
        severity: Severity::Hint,
        meaning: "something in the folder of the site is not read",
        help: "Beside site.toml stand files or folders that are no part of the site, and \
               that are not known as something else, such as a README. Perhaps a folder \
               has another name than site.toml says. Conversations are read from the \
               folder `content`, plain pages from `pages`, and what is in `static` is \
               copied into the site as it is. If it is meant for something else, nothing \
               needs to be done.",
    },
    Code {
        name: "unknown-format",
        severity: Severity::Error,
        meaning: "a file is in no format that is known",
        help: "The file is not published. A warning says that it looks like a \
               conversation that cannot be read, or that files with this ending are not \
               read; a hint says what else it looks like. An error comes from `convert`, \
               which found nothing to convert.\n\n\
               1. If it is an export, `convo-site list formats` names the programs whose \
               exports are read, and `convo-site list formats chatgpt` where to find one \
               and which of its files belong to it: put all of them there, as they were \
               downloaded.\n\n\
               2. If it is in one of these formats and not known as such, name the format \
               in site.toml: `[[source]]`, and below it `files = \"talk.txt\"` and `format \
               = \"markdown\"`; for `convert` that is `--from markdown`.\n\n\
               3. If it is a conversation in no known format, write it as Markdown, with \
               `**Ada:**` before what Ada says.\n\n\
               4. If it is no conversation, write `ignore = true` in place of the format, \
               or put it elsewhere.\n\n\
               What Discord sends of an account is left out: it holds what its owner wrote, and not what \
               others did. Save the channels with DiscordChatExporter, as JSON.\n\n\
               Perplexity, Poe, Meta AI, Jan and TypingMind are left out: no trustworthy source \
               says what their exports look like, and a guess could publish what should not be. \
               Convert such a conversation to Markdown.",
    },
    Code {
        name: "unknown-key",
        severity: Severity::Error,
        meaning: "a key is not known",
        help: "In site.toml it has no effect, but where it may have been meant to say \
               which files are published, nothing is written. The same is so in a \
               `[[source]]`. In a file in `locales/` only this text is ignored. Correct \
               the spelling, or remove the key.",
    },
    Code {
        name: "unknown-kind",
        severity: Severity::Warning,
        meaning: "the kind of a participant is not known",
        help: "In a convo file `\"kind\"` of a participant is one of `person`, \
               `assistant`, `system` and `tool`. Another value has no effect: the \
               participant is published as a person, or as an assistant if it is \
               generative. Write one of the four, or remove it.",
    },
    Code {
        name: "unknown-language",
        severity: Severity::Warning,
        meaning: "there are no words for the language of the site",
        help: "`language` in site.toml names a language that this program does not \
               speak, so the pages speak English. Conversations keep their own language. \
               Choose one of those that the message names, or add the words in a file \
               `locales/<tag>.toml` in the site folder.",
    },
    Code {
        name: "unknown-message-type",
        severity: Severity::Warning,
        meaning: "the type of a message is not known",
        help: "In CJSON `messageType` is `text` or `composite`; here it is missing or \
               something else. The message is published: its `content` and \
               `contentBlocks` are read all the same. Correct the type, or export the \
               file again.",
    },
    Code {
        name: "unknown-name",
        severity: Severity::Warning,
        meaning: "the theme has no colour or font of that name",
        help: "A name in `colors`, `dark_colors` or `fonts` under `[look]` in site.toml \
               is in none of the theme's stylesheets. The site is published, and the \
               line changes nothing. Use one of the names that the message gives, such \
               as `colors = { link = \"#00695c\" }`.",
    },
    Code {
        name: "unknown-record",
        severity: Severity::Warning,
        meaning: "a record of an export is of an unknown kind",
        help: "The program that wrote the export has a new kind of record, or a rare \
               one. Its place on the page says what it is called; its contents are not \
               published, because nobody knows yet what is in them. Where people write or \
               talk to each other, it has no place on the page either, and nothing is quoted \
               from it: it may be private. Please tell the developers the name.",
    },
    Code {
        name: "unknown-role",
        severity: Severity::Warning,
        meaning: "the role of a message is not known",
        help: "In CJSON `role` is `user`, `assistant` or `tool`. The message is \
               published: `system` and `developer` are shown as system messages, and any \
               other word as the name of a person. Correct the role if that is wrong.",
    },
    Code {
        name: "unknown-state",
        severity: Severity::Warning,
        meaning: "the state of a tool call is not known",
        help: "CJSON has no such `toolApprovalState` or `toolResultState`. It is \
               published as it is written. The message gives the states that there are; \
               correct it if it is misspelled.",
    },
    Code {
        name: "unknown-template",
        severity: Severity::Warning,
        meaning: "no page is made with a template of that name",
        help: "A file in `templates/` stands for the built-in template of the same name, or is \
               included or extended by one that does. This one is neither, so it changes \
               nothing. Give it the name of the template that it should stand for; \
               `convo-site theme eject` lists them. To change a part of one without a copy, \
               extend it and fill one of its blocks: `{% extends \"built-in/base.html\" %}` and \
               `{% block footer %}…{% endblock %}`.",
    },
    Code {
        name: "unknown-theme",
        severity: Severity::Error,
        meaning: "there is no theme of that name",
        help: "`theme` in site.toml, or `extends` in a `theme.toml`, names a theme that \
               is not there, so `paper` is used instead. Correct the name; `convo-site \
               list themes` shows all. A theme of your own is a folder `themes/<name>/` \
               in the site folder.",
    },
    Code {
        name: "unknown-version",
        severity: Severity::Warning,
        meaning: "the file is of another version of CJSON",
        help: "`schemaUrl` names a version that this program does not know. The file is \
               read as version 0.1.0 and published. Look at the page: what is new in \
               that version may be missing there.",
    },
    Code {
        name: "unknown-visibility",
        severity: Severity::Error,
        meaning: "a word for who may read something is not known",
        help: "A key such as `visibility`, `access` or `published` has a value that \
               could mean anything, such as `\"visibility\": \"tier 2\"`, or `publish`, \
               `embargo_until` or `expires` one that is no time, such as `next May`. To be safe the \
               conversation or the turn counts as private and is not published; a convo \
               file is left out until it is mended. Write `public` or `private`, `true` \
               or `false`, or a time such as `2027-01-01` or \
               `2027-01-01T09:00:00+01:00`.",
    },
    Code {
        name: "unknown-zone",
        severity: Severity::Warning,
        meaning: "a time zone is not known",
        help: "A time names a zone that does not exist, such as `[Mars/Olympus]`. The \
               conversation is published, and the time is read without the zone; an \
               offset such as `-05:00` counts. Use a name of the IANA time zone \
               database, such as `[Europe/London]`.\n\n\
               In a mail it is an abbreviation that is not known or stands for several \
               zones, such as `IST`. Nothing needs to be done; a time that names no zone \
               is in that of `time_zone` in site.toml or in the `[[source]]` of the file.",
    },
    Code {
        name: "unlisted-message",
        severity: Severity::Warning,
        meaning: "no timeline leads to a message",
        help: "This is about the folders of vlinder: the timelines of a session do not \
               name this message folder. The message is not shown, and the rest of the \
               conversation is published. Add its folder as a line to a file in \
               `timelines/`, or delete it.",
    },
    Code {
        name: "unmatched-filter",
        severity: Severity::Error,
        meaning: "a query fits no conversation",
        help: "A query under `include` or `exclude` of a `[[source]]` in site.toml, a \
               query or tag in publish.toml, or an id in the file of `import --ids-from`, is that of no conversation. \
               Often a word is misspelled, or a conversation is not in the export. A \
               query under `exclude` that fits nothing is only warned about: it may be \
               there for later. A query is asked of a conversation as a whole: every \
               word must stand somewhere in it, and what has a `-` before it nowhere. \
               `convo-site import EXPORT --filter QUERY` shows what a query chooses.",
    },
    Code {
        name: "unmatched-listing",
        severity: Severity::Warning,
        meaning: "a conversation on the list of what is published is not there",
        help: "`publish = \"listed\"` in site.toml publishes only what publish.toml \
               lists. A `[[conversation]]` there names a file or an id that no \
               conversation has: it was moved, renamed or taken away. The others are \
               published. Correct the line, or take it out.",
    },
    Code {
        name: "unmatched-order",
        severity: Severity::Hint,
        meaning: "a file that a collection lists is not among its conversations",
        help: "The `order` of an `_index.md` lists files in the order in which they stand. \
               This one holds no conversation of the collection: it has another name, \
               stands elsewhere, or is held back. It is passed over. Write names as they \
               stand below the folder of the `_index.md`, such as `first.md` or \
               `letters/second.md`; the ending may be left out.",
    },
    Code {
        name: "unmatched-rule",
        severity: Severity::Error,
        meaning: "a `[[source]]` matches no file",
        help: "The pattern or folder in `files` of a `[[source]]` in site.toml fits no \
               file below the content folder. If the `[[source]]` says `visibility = \
               \"private\"`, nothing is written, because the files may stand elsewhere \
               now; otherwise everything is published without it. Correct `files`, such \
               as `files = \"podcasts/**/*.md\"`, or remove the `[[source]]`.",
    },
    Code {
        name: "unreadable",
        severity: Severity::Error,
        meaning: "a file or a folder cannot be read",
        help: "What depends on it is left out: the conversations in it, or a page that \
               shows it; without site.toml nothing is written. The message gives the \
               reason. Check that it exists, that you may read it, and that no link \
               leads out of the site folder.",
    },
    Code {
        name: "untranslated",
        severity: Severity::Warning,
        meaning: "some words of the site are not translated",
        help: "A file in `locales/` for a language that this program does not bring \
               lacks some texts. The site is published, and these texts are in English. \
               The message names some of them; add them, with the same section and key.",
    },
    Code {
        name: "unused-accept",
        severity: Severity::Warning,
        meaning: "an entry of gate.toml fits nothing",
        help: "What an entry of gate.toml is about is not found any more: the conversation \
               changed, is private, or is gone. Delete the entry, so that nothing that \
               comes later is accepted unseen.",
    },
    Code {
        name: "usage",
        severity: Severity::Error,
        meaning: "the command cannot do what was asked",
        help: "Nothing is written. For example, the output folder that `-o` names holds \
               what the site is read from, `serve` cannot use the address or the port, \
               or `convert` makes several files and has no `-o FOLDER`. The message \
               gives the reason; `convo-site help build` lists the options of `build`, \
               and so for the other commands.",
    },
    Code {
        name: "utf-16",
        severity: Severity::Warning,
        meaning: "the file is in UTF-16",
        help: "It was read as UTF-16 and is published. If the page shows wrong \
               characters, the guess was wrong. Save the file as UTF-8 to end the \
               warning.",
    },
    Code {
        name: "withheld-tools",
        severity: Severity::Hint,
        meaning: "what some tools were given and returned is withheld",
        help: "Tools of servers read mail, tickets, calendars, payments and the like, which \
               belong to others as well, and nobody knows what a server returns that is not \
               in the list of the program. That these tools were called, and their names, \
               are published. To publish the rest as well, name the server in site.toml: \
               `open_servers = [\"garden\"]`, or in the `[[source]]` that it is about. The \
               tools that an agent has itself, and those of servers that work on your machine \
               alone or on public documents, are shown in any case. A result whose call \
               is lost is never shown, because nobody knows which tool returned it.",
    },
    Code {
        name: "wrong-type",
        severity: Severity::Error,
        meaning: "a value is of the wrong type",
        help: "For example a list stands where a text is expected, or `\"private\": \
               \"no\"` where `true` or `false` is. As an error, a convo file is left \
               out, and of other files the message or the entry that cannot be read \
               because of it. A value of `private` that is neither `true` nor `false` \
               counts as private, so what it is about is not published.\n\n\
               As a warning everything else is published, and only this value has no \
               effect; a number is taken where a text is expected. The message says what \
               fits, such as `\"tags\": [\"clocks\"]`.",
    },
    Code {
        name: "zone-offset",
        severity: Severity::Warning,
        meaning: "the offset of a time does not fit its time zone",
        help: "For example, `2025-10-23T12:00:00-06:00[America/Chicago]` says six hours, \
               and it was five in Chicago on that day. The conversation is published, \
               and the offset as written is used. Correct the offset, or write the time \
               without one.",
    },
];

/// Returns the row of a code, if there is one of that name.
pub fn find(name: &str) -> Option<&'static Code> {
    let place = CODES.binary_search_by(|code| code.name.cmp(name)).ok()?;
    CODES.get(place)
}
