//! The table of diagnostic codes, with the meaning of each and what to do about it.

use super::Severity;

/// A row of the table of codes.
pub struct Code {
    /// Kebab-case, stable between versions.
    pub name: &'static str,
    /// The highest severity it is reported with.
    pub severity: Severity,
    /// The meaning, as a sentence fragment without a full stop.
    pub meaning: &'static str,
    /// What to do and why: one or more paragraphs of plain text, separated by blank lines.
    pub help: &'static str,
}

/// All codes, in alphabetical order.
pub const CODES: &[Code] = &[
    Code {
        name: "account-data",
        severity: Severity::Hint,
        meaning: "a file in an export contains account data",
        help: "Nothing to do: this file is never published, and no setting changes that. Exports \
               contain files about the person who made them, with a name, an e-mail address, \
               settings or what an assistant remembers. Anyone who can read the content folder can \
               read the file, so delete it if that folder is public.",
    },
    Code {
        name: "address-changed",
        severity: Severity::Warning,
        meaning: "the URL of a conversation has changed",
        help: "If others may link to the old URL, add the line that the message shows to \
               `[redirects]` in site.toml, such as `\"old/talk/\" = \
               \"c/2026-03-04-a-talk-7f3kxm/\"`. The URL of a page is made from the date and the \
               title of its conversation and a code, which also depends on the speakers and the first \
               turn if the source has no id. A change of any of these gives a new URL. The page is \
               published there, and the old URL no longer works. Only `build` reports this, and only \
               once.",
    },
    Code {
        name: "address-taken",
        severity: Severity::Error,
        meaning: "two pages have the same URL",
        help: "Rename the page, or set `slug = \"…\"` in its front matter. A plain page gets its \
               URL from its path: `pages/about.md` is published at `about/`. That URL is already \
               used by another page, or by one that convo-site generates, such as the list of \
               speakers. This page is not published.",
    },
    Code {
        name: "alias-taken",
        severity: Severity::Warning,
        meaning: "an old URL already redirects to another page",
        help: "Remove the URL from one of the two. A conversation lists an old URL under \
               `aliases`, but a newer conversation or a line of `[redirects]` in site.toml has the \
               same one. The conversation is published, but the old URL redirects to the other \
               page.",
    },
    Code {
        name: "already-there",
        severity: Severity::Hint,
        meaning: "an export in the content folder already contains this conversation",
        help: "Reported only by `import`, which writes nothing for this conversation. It is \
               already read from the file that the message names, so importing it would publish it \
               twice. To publish only some conversations of that export, select them with \
               `include` in a `[[source]]`. Or move the export out of the content folder and \
               import it; URLs of pages do not change.",
    },
    Code {
        name: "ambiguous-dates",
        severity: Severity::Warning,
        meaning: "dates or times of a chat can be read in two ways",
        help: "Add the date order to the file name: `chat.dmy.txt` if the day comes first, \
               `chat.mdy.txt` if the month does. All dates in the chat are ambiguous, such as \
               `3/4/26`, so it is published without dates. The message can also be about an \
               unknown word after the times, which may mean AM or PM. Those times are shown \
               unchanged.",
    },
    Code {
        name: "ambiguous-format",
        severity: Severity::Warning,
        meaning: "a file matches two formats equally well",
        help: "If the page looks wrong, or to silence the warning, set the format in site.toml: \
               `[[source]]`, `files = \"talks/*.json\"`, `format = \"cjson\"`. The message names \
               both formats; the file was read as the first. `convo-site list formats` lists all \
               format names.",
    },
    Code {
        name: "bad-alias",
        severity: Severity::Error,
        meaning: "an old URL or a redirect is not valid",
        help: "Write a path such as `old/talk/` or `old/talk.html`, without spaces, `?`, `#`, `*` \
               or `..`. The URL is listed under `aliases` of a conversation, or on one side of a \
               line of `[redirects]` in site.toml. It is not a path on this site, it is a file \
               name that hosts use for their settings (such as `_headers`), or the redirects form \
               a loop. Everything else is published.",
    },
    Code {
        name: "bad-archive",
        severity: Severity::Error,
        meaning: "an archive cannot be read",
        help: "Download the archive again, or unpack it and put the folder in its place. \
               convo-site reads a ZIP or tar file in the content folder like a folder, and a file \
               that ends in `.gz` or `.zst` like the file it contains. This archive is damaged, \
               truncated, encrypted or too large, or it contains a link, a duplicate name, or a \
               name that points outside of it. Whatever could be read is published.",
    },
    Code {
        name: "bad-asset",
        severity: Severity::Error,
        meaning: "the site's own style sheet or script cannot be used",
        help: "Save the file as UTF-8, or make it smaller than 1 MB. Every page loads `style.css` \
               and `script.js` beside site.toml, after those of the theme. This file cannot be \
               read, is not valid UTF-8, or is larger than 1 MB, so pages are built without it.",
    },
    Code {
        name: "bad-cue",
        severity: Severity::Warning,
        meaning: "a caption cue or transcript segment is not valid",
        help: "Add the missing timing line, or remove the text that does not belong there. \
               Captions are blocks of lines, each with a line such as `00:01:02.500 --> \
               00:01:04.000` and the text below it. If that line is not a valid time, the text is \
               published without a position in the recording. Text outside of any cue is not \
               published.",
    },
    Code {
        name: "bad-font",
        severity: Severity::Error,
        meaning: "a font for generated pictures cannot be used",
        help: "Set `fonts` to the path of a TrueType or OpenType file in the site folder, such as \
               `fonts = [\"fonts/NotoSansJP-Bold.otf\"]`. A file listed under `fonts` in \
               `[og_images]` of site.toml does not exist or is not a font. All pages are \
               published; their pictures are drawn without this font.",
    },
    Code {
        name: "bad-history",
        severity: Severity::Error,
        meaning: "the history of a git repository cannot be read",
        help: "Check the repository, for example with `git fsck`. convo-site does not read a \
               repository that contains links or borrows objects from another one; clone it \
               again without `--shared` and `--reference`.\n\n\
               Conversations of vlinder can be kept in a git repository, whose branches and \
               commits are read as well. As a warning, the repository or one of its commits \
               cannot be read: the files in the folder are published, without the missing \
               parts. As an error, reading failed later: the conversation that needed that \
               part is not published.\n\n\
               With `updated = \"git\"`, a warning means that the site is not in a repository, or \
               that its history is truncated. CI often makes such shallow clones: set \
               `fetch-depth: 0` for `actions/checkout` to get the full history.",
    },
    Code {
        name: "bad-image",
        severity: Severity::Error,
        meaning: "the logo or the image of the site cannot be used",
        help: "Use a file in the site folder that ends in `.png`, `.jpg`, `.jpeg`, `.gif`, \
               `.webp`, `.avif` or `.svg`, such as `logo = \"logo.svg\"`. `logo` or `image` in \
               `[look]` of site.toml names a file that does not exist there, or that does not have \
               one of these extensions. The site is published without it.",
    },
    Code {
        name: "bad-json",
        severity: Severity::Error,
        meaning: "the JSON is not valid",
        help: "Fix the place that the message names, or export the file again. Often a comma, \
               a quotation mark or a bracket is missing. In a convo file, the JSON is the \
               object at the end, and the conversation is not published. In a log with one \
               JSON object per line, only the broken line is skipped. Any other JSON file is \
               skipped as a whole.\n\n\
               A text with more than a million JSON values is rejected too. This limit does not \
               apply to the messages of ChatGPT and Claude conversations, which are read one at a \
               time.",
    },
    Code {
        name: "bad-language",
        severity: Severity::Warning,
        meaning: "a language tag is not valid",
        help: "Write BCP 47 language tags such as `\"languages\": [\"en\", \"zh-Hans\", \
               \"pt-BR\"]`. An entry of `languages` in a convo file is not a valid tag. The \
               conversation is published with the tag unchanged, but browsers and search engines \
               will not understand it.",
    },
    Code {
        name: "bad-mail",
        severity: Severity::Error,
        meaning: "a mail message has no header fields",
        help: "Export the mailbox again, or fix the lines after the one that starts with `From `. \
               A message starts with header fields such as `From:` and `Date:`, up to the first \
               blank line. This one has none, so its author is unknown. It is skipped; the other \
               messages in its mailbox are read.",
    },
    Code {
        name: "bad-sitemap",
        severity: Severity::Error,
        meaning: "the sitemap lists a page that should not be in it",
        help: "Reported only by `check`. If you use a custom template, compare its `<meta \
               name=\"robots\">` and `<link rel=\"canonical\">` with those of the built-in \
               template. A URL in the sitemap belongs to no page, to a page that asks search \
               engines not to list it, or to a page with a different canonical URL.",
    },
    Code {
        name: "bad-template",
        severity: Severity::Error,
        meaning: "a template is not valid or fails",
        help: "Fix the template at the place that the message names. If it cannot be read, the \
               template it replaces is used instead: that of the theme, or the built-in one. If it \
               fails while a page or a picture is made, that file is not published, and its older \
               version is removed. The Templates page of the manual lists everything that a \
               template can use.",
    },
    Code {
        name: "bad-theme",
        severity: Severity::Error,
        meaning: "themes extend each other in a loop",
        help: "Remove one of the `extends` lines. `extends` in a `theme.toml` names a theme that \
               is already in use, or more than eight themes extend one another. The site is built \
               with the themes up to that place.",
    },
    Code {
        name: "bad-time",
        severity: Severity::Error,
        meaning: "a time is not valid or cannot be understood",
        help: "In a file that you write, put the year first: `2025-10-23`, \
               `2025-10-23T12:00:00Z` or `2025-10-23T12:00:00-05:00[America/Chicago]`. A time \
               without a zone is in the `time_zone` of site.toml, or of the `[[source]]` of \
               the file. A date such as 04/05/26 is ambiguous, and so is its zone.\n\n\
               As a warning, the conversation is published without this time and listed with \
               those that have no date. As an error, in a convo file, the conversation is not \
               published.\n\n\
               Do not edit an export, because the next one will contain the same time again. Write \
               the conversation with `convo-site convert FILE --to convo -o talk.convo`, add the \
               correct `time`, and replace the export with it. Or publish it without a time; then \
               you do not need to do anything.",
    },
    Code {
        name: "bad-toml",
        severity: Severity::Error,
        meaning: "the TOML is not valid",
        help: "Fix the line that the message names. Often quotation marks are missing: `title = \
               \"My talks\"`. A key can occur only once: a `duplicate key` is set further up, so \
               change its value there. If the file is site.toml, nothing is written until it is \
               fixed. If it is the front matter of a conversation, the conversation is withheld, \
               because the text may say that it is private. A `theme.toml` or a file in `locales/` \
               is ignored; in these, the problem can also be an invalid key or value.",
    },
    Code {
        name: "bad-translation",
        severity: Severity::Warning,
        meaning: "a translation cannot be linked to its original",
        help: "Set `translation_of` to the id of the other conversation, or to the path of its \
               file relative to the folder of this one, such as `\"translation_of\": \
               \"talk.convo\"`. Give each translation its own language, such as `\"languages\": \
               [\"de\"]`. Either `translation_of` names no other conversation, or one of the \
               translations declares no language, a language that search engines do not know, or \
               the same language as another one. The conversation is published without links to \
               its translations.",
    },
    Code {
        name: "bad-value",
        severity: Severity::Error,
        meaning: "a setting has a value that is not valid",
        help: "Choose one of the values that the message lists. The Configuration page of the manual \
               documents every setting. In site.toml, the setting keeps its default, \
               and the rest is published. If the setting is in a `[[source]]`, or is `content`, \
               nothing is written until it is fixed, because it may control what is private. In a \
               file in `locales/`, the text stays unchanged.",
    },
    Code {
        name: "bad-yaml",
        severity: Severity::Error,
        meaning: "front matter is not valid YAML",
        help: "Fix the line that the message names. Often a value with a colon needs quotation \
               marks: `title: \"Rust: a talk\"`. As a warning, the front matter was read line by \
               line as `key: text` instead, and the conversation is published. As an error, this \
               failed too: the conversation is withheld, because the text may say that it is \
               private.",
    },
    Code {
        name: "blocked-by-policy",
        severity: Severity::Warning,
        meaning: "browsers block something that a template or style sheet loads",
        help: "Add the service to `[services]`, or its host to `allow` there. Move inline scripts \
               and styles to `script.js` and `style.css` beside site.toml. The content security \
               policy of each page allows only what the site itself contains and what site.toml \
               names. This keeps text of a conversation from running as code and from telling \
               other hosts who reads it. A template of the site, or its `style.css`, loads \
               something else, which does not work.",
    },
    Code {
        name: "both-speak",
        severity: Severity::Warning,
        meaning: "one entry contains both a question and an answer",
        help: "If this is wrong, split the entry in two. An entry in the `history` of a vlinder \
               session has both `user` and `agent`. It is published as two turns, the question \
               first.",
    },
    Code {
        name: "byte-order-mark",
        severity: Severity::Hint,
        meaning: "the file starts with a byte-order mark",
        help: "To silence the hint, save the file as UTF-8 without a byte-order mark. The mark is \
               three invisible bytes that some editors write at the start of a file. They are \
               skipped, and nothing is lost.",
    },
    Code {
        name: "cache",
        severity: Severity::Warning,
        meaning: "the cache could not be saved",
        help: "Check that the disk has free space and that you can write to the folder \
               `.convo-site` in the site folder. The site is complete and was written. Only the \
               cache in that folder could not be updated, so the next build takes longer.",
    },
    Code {
        name: "carriage-return",
        severity: Severity::Hint,
        meaning: "line endings in the file are not consistent",
        help: "To silence the hint, save the file with one kind of line ending: Unix (LF) or \
               Windows (CRLF). Some lines end in a carriage return alone, or in CRLF while other \
               lines end in LF. Each counts as a line ending, and nothing is lost.",
    },
    Code {
        name: "changed",
        severity: Severity::Error,
        meaning: "a file changed while the site was built",
        help: "Build again. The file of a conversation, or cached search data of an earlier build, \
               was changed or removed during the build. The pages and files that needed it were \
               not published.",
    },
    Code {
        name: "confidential",
        severity: Severity::Hint,
        meaning: "a conversation between people is withheld",
        help: "To publish it, open it in site.toml: `[[source]]`, `files = \"whatsapp/**\"`, \
               `visibility = \"public\"`. The file is a chat, a channel or a mailbox that not \
               everyone could read, and the people in it were not asked. Once it is public, people \
               who are not listed in `[people]` get a pseudonym, unless you set `others = \
               \"keep\"`, and phone numbers and e-mail addresses are redacted. Direct messages and \
               private channels in a larger export also need `direct_messages = true`.",
    },
    Code {
        name: "corrupted-attachment",
        severity: Severity::Warning,
        meaning: "an attachment is damaged",
        help: "Replace the file, export the conversation again, or correct what it says about the \
               attachment. Its data is not valid Base64 or not a valid `data:` URL, or its SHA-256 \
               or size differs from what the conversation states. The conversation is published \
               with a placeholder for the attachment.",
    },
    Code {
        name: "damaged-image",
        severity: Severity::Warning,
        meaning: "an image is damaged and not published",
        help: "Save the image again with an image editor. JPEG, PNG, GIF, WebP, AVIF and HEIC \
               images are published without metadata: place, time, camera, comments, thumbnails \
               and files hidden after the end. To remove it, convo-site must be able to read the \
               whole image. It cannot tell what a damaged image contains.",
    },
    Code {
        name: "dead-link",
        severity: Severity::Error,
        meaning: "a link on the site is broken",
        help: "Reported only by `check`. Correct the link. A page links to a URL on this site, or \
               loads a file from it, that does not exist. The link can come from a custom \
               template, from the target of a redirect in site.toml, or from a conversation that \
               contains the full URL of a page.",
    },
    Code {
        name: "dead-redirect",
        severity: Severity::Warning,
        meaning: "the target of a redirect does not exist",
        help: "Correct the target, or remove the line. A line of `[redirects]` in site.toml or an \
               alias of a conversation redirects to a URL that has no page. The conversation may \
               be deleted, or it may be private now. The redirect is not published, because its \
               URL may contain a private title.",
    },
    Code {
        name: "doubtful-speaker",
        severity: Severity::Warning,
        meaning: "a name in a transcript may not be a speaker, or may be misspelt",
        help: "List all speakers in the front matter: `speakers: [Ada, Wren, Paris]`. Or put a \
               backslash before the colon of a line that does not start a turn: `Paris\\: a city`. \
               The message says how the name was read. A word that appears before a colon only \
               once, such as `Paris:`, may be a person who speaks once, or part of the turn above. \
               A name that differs from another by one letter may be a typo.",
    },
    Code {
        name: "doubtful-transcript",
        severity: Severity::Warning,
        meaning: "a text may be a transcript or something else",
        help: "If it is a transcript, list the speakers in front matter, between two lines of \
               three hyphens at the top of the file: `speakers: [Ada, Wren]`. Or set the format in \
               site.toml: `[[source]]`, `files = \"talk.md\"`, `format = \"markdown\"`. If it is \
               not a transcript, write `ignore = true` there instead of the format. Names before a \
               text, such as `**Ada:**` or `Ada:`, start turns, but labels such as `**Note:**` \
               look the same. The message shows what is in doubt. Until you decide, the text is \
               not published.",
    },
    Code {
        name: "duplicate-conversation",
        severity: Severity::Warning,
        meaning: "two files, or two rows of a file, contain mostly the same conversation",
        help: "If they are the same, delete one of them. Both begin in the same way at the same \
               time, and share more than half of the turns of the shorter one. Often the \
               conversation was exported twice, or each row of a log repeats the row before it. \
               Both are published.",
    },
    Code {
        name: "duplicate-description",
        severity: Severity::Hint,
        meaning: "several pages have the same description",
        help: "Reported only by `check`, for pages that search engines may list. Give each \
               conversation its own description, such as `\"summary\": \"How the first program was \
               written\"` in its metadata. Search engines show descriptions so that people can \
               tell pages apart. The pages are published.",
    },
    Code {
        name: "duplicate-id",
        severity: Severity::Warning,
        meaning: "the same id is used twice",
        help: "Give each its own id, or delete the copy. Two conversations with the same id are \
               both published; links to the id go to the other one. Two log entries with the same \
               id are published once if their text is the same, and twice if it differs. Two CJSON \
               messages with the same id are both published. Results of two tool calls with the \
               same id are added to the nearest preceding call.",
    },
    Code {
        name: "duplicate-key",
        severity: Severity::Error,
        meaning: "a privacy key occurs twice with different values",
        help: "Remove one of the two lines. For example, one line is `private: true` and another \
               is `private: false`. To be safe, the conversation or the turn is treated as private \
               and is not published. A convo file is skipped until you fix it.",
    },
    Code {
        name: "duplicate-participant",
        severity: Severity::Warning,
        meaning: "a participant is listed twice",
        help: "Remove the second entry, or rename it if it is a different person. The same name \
               occurs twice under `participants` of a convo file. The conversation is published, \
               and only the first entry is used.",
    },
    Code {
        name: "duplicate-title",
        severity: Severity::Hint,
        meaning: "several pages have the same title",
        help: "Reported only by `check`, for pages that search engines may list. Give each \
               conversation its own title, such as `\"title\": \"A short history\"`. The pages are \
               published, but readers and search engines cannot tell them apart.",
    },
    Code {
        name: "edited-since",
        severity: Severity::Warning,
        meaning: "a file was edited by hand, and its export has changed too",
        help: "Reported only by `import`. An earlier import wrote this file, it was edited since \
               then, and the export now contains a changed version of the conversation. The file \
               stays unchanged, so your edits are not lost. To get the version of the export, run \
               the import with `--overwrite-edited`, and make your edits again. Keys that say who \
               may read the conversation, such as `\"private\": true`, are kept.",
    },
    Code {
        name: "empty-collection",
        severity: Severity::Warning,
        meaning: "an `_index.md` does not describe a collection",
        help: "As a hint, no conversation of its folder is published, because all are drafts or \
               private. The folder has no page, and you do not need to do anything. As a warning, \
               the file is in the top folder of conversations, which is not a collection. Move it \
               to a folder below, and set the texts of the home page in site.toml.",
    },
    Code {
        name: "empty-file",
        severity: Severity::Error,
        meaning: "the file is empty",
        help: "Write a conversation into the file, or delete it. It ends in `.convo`, or is read \
               as a convo file for another reason, but it has no content. It gets no page.",
    },
    Code {
        name: "empty-turn",
        severity: Severity::Warning,
        meaning: "a turn has no text",
        help: "Write the text of the turn below the line, or delete the line. A line such as `### \
               @Ada` in a convo file has no text below it. The conversation is published with an \
               empty turn.",
    },
    Code {
        name: "everyday-name",
        severity: Severity::Warning,
        meaning: "a name to replace is also an everyday word",
        help: "If it is the name of a speaker, limit it to the files where it occurs, so that \
               other texts keep the word: `names = [{ name = \"Will\", in = \"chats\" }]`. `in \
               = \".\"` means all files and silences the warning. If it is not the name of a \
               speaker, list only the full name, such as `Will Marsh`; parts of it that are \
               everyday words are then kept.\n\n\
               A name such as `Will` or `Rose` of a person with `pseudonym = true` is replaced in \
               texts where it begins with a capital letter. convo-site cannot tell whether the \
               person is meant, so \"Will you come?\" gets the pseudonym too. Speakers and \
               mentions such as `@will` are always replaced.",
    },
    Code {
        name: "example-base-url",
        severity: Severity::Warning,
        meaning: "`base_url` is an example URL",
        help: "Set `base_url` in site.toml to the URL of your site, such as `base_url = \
               \"https://ada.github.io/talks/\"`, or to `\"\"`. The option `--base-url` sets it \
               for one run. It is still a placeholder such as `https://example.org`, which every \
               new site starts with. The site is published, but its sitemap, its feeds and its \
               canonical URLs use that host. If the site is not at the root of its host, as on \
               GitHub Pages, its style sheets and links do not work.",
    },
    Code {
        name: "expired-accept",
        severity: Severity::Warning,
        meaning: "an accepted finding has expired",
        help: "Look at it again with `convo-site review`, or set a later date in gate.toml. An \
               entry of gate.toml accepts a secret until a certain day, and that day has passed. \
               The finding is treated as if the entry did not exist.",
    },
    Code {
        name: "false-speakers",
        severity: Severity::Warning,
        meaning: "bold names that were read as speakers may be labels",
        help: "If the file is not a conversation, remove the format. If only some names are \
               labels, put a backslash before their colon: `**Note\\:**`. A `[[source]]` in \
               site.toml, or `--from`, sets the format `markdown` for this file, but most of its \
               names look like labels. It is read as a transcript, so each label is shown as a \
               speaker.",
    },
    Code {
        name: "file-name",
        severity: Severity::Hint,
        meaning: "a file name is not valid UTF-8",
        help: "Rename the file to a name in UTF-8. The file is read, but only part of its name can \
               be shown, here and on the site.",
    },
    Code {
        name: "folder",
        severity: Severity::Warning,
        meaning: "a folder is named like a convo file",
        help: "Rename the folder to silence the warning. Its name ends in `.convo`, like the names \
               of convo files. The files in it are read as in any other folder.",
    },
    Code {
        name: "foreign-files",
        severity: Severity::Error,
        meaning: "the output folder contains files that do not belong to this site",
        help: "As an error of `check --publish`: move the files away, or list the files and \
               folders that you want to publish in site.toml: `extra_files = [\"verify.txt\", \
               \"slides/\"]` in `[deploy]`. Builds leave these files alone, so they are \
               published when you upload the folder, and nothing has checked their content. \
               Symbolic links cannot be listed. You do not need to list files for hosts, such \
               as `netlify.toml` and files in `.well-known/`.\n\n\
               As a warning: delete the files that come from earlier builds, because they may \
               contain what is private now. The list `.convo-site-files` in the output folder \
               is missing or damaged, so convo-site cannot tell which ones those are.\n\n\
               As a hint: nothing to do.",
    },
    Code {
        name: "front-matter",
        severity: Severity::Warning,
        meaning: "a convo file has front matter",
        help: "Move what you need to the object at the end, such as `\"title\": \"A talk\"`. The \
               metadata of a convo file belongs in that object. Of the front matter above, only \
               keys about privacy are read. The rest has no effect and is not published. The \
               conversation is published unless it is private.",
    },
    Code {
        name: "half-line",
        severity: Severity::Hint,
        meaning: "the last line of a log is incomplete",
        help: "Nothing to do: the next build reads the line once it is complete. The program that \
               writes the log had not finished its last line. The line is skipped, and the rest of \
               the log is published.",
    },
    Code {
        name: "held-back",
        severity: Severity::Warning,
        meaning: "a conversation is withheld because it is private",
        help: "As a hint, the message names a reason that is easy to miss, such as `status: \
               draft` in the metadata, or a file beside a log that marks it as private. The \
               conversation is not published. To publish it, change what the hint names. To \
               see it on your machine, use `serve --include-private`.\n\n\
               As a warning, `convert` skipped a private conversation. `--include-private` \
               converts it, unless nothing in it may be shown.",
    },
    Code {
        name: "held-in-output",
        severity: Severity::Error,
        meaning: "the output folder still contains pages of a withheld conversation",
        help: "Reported only by `check --publish`. Run `convo-site build` to remove the pages. If \
               they were uploaded, upload the site again: they are public until then. The \
               conversation was published by the last build. Since then it became private, a \
               secret was found in it, or it is no longer selected.",
    },
    Code {
        name: "hidden-log",
        severity: Severity::Warning,
        meaning: "a log is hidden and not read",
        help: "Import the sessions with `convo-site import --from aider FOLDER SITE`. Without the \
               site folder, the command lists the sessions of all logs below `FOLDER`, hidden or \
               not. aider writes its log beside the code, to a file whose name starts with a dot. \
               Such files are not read as conversations, so none of its sessions is published. \
               Folders such as `.claude`, `.codex` and `.specstory` are hidden in the same way: \
               import them by name.",
    },
    Code {
        name: "host-limit",
        severity: Severity::Error,
        meaning: "the site exceeds a limit of its host",
        help: "Reported only by `check`, if `host` in `[deploy]` of site.toml names a host whose \
               limits are known: GitHub Pages, Netlify, Cloudflare Pages or GitLab Pages. Turn off \
               what the hints list; they say how much each saves. Or split the site in two, remove \
               large files, or choose another host. There are too many files, redirects or header \
               rules, or a file or the whole site is too large. The message gives the numbers. As \
               a warning, the site uses four fifths of a limit, or fits only a paid plan of the \
               host.",
    },
    Code {
        name: "image-metadata",
        severity: Severity::Warning,
        meaning: "an image is published with metadata that cannot be removed",
        help: "Save the image as JPEG, PNG or WebP, or inspect it with a program such as ExifTool. \
               JPEG, PNG, GIF and WebP images are published without metadata, such as the place \
               where they were taken. In AVIF and HEIC images, all known metadata is removed. This \
               one has parts of other kinds, which may contain such data.",
    },
    Code {
        name: "incomplete-podcast",
        severity: Severity::Warning,
        meaning: "a podcast or an episode is incomplete",
        help: "Add what the message lists. The conversations of a `[[source]]` with `podcast = \
               true` are the episodes of `podcast.xml`. An episode needs a recording that is \
               published, and a date by which podcast apps sort it. If it has a recording that is not \
               published, another message says why. The podcast needs `base_url`. Directories also \
               require a description, a category and a square cover of 1400 to 3000 pixels, which \
               you set in `[podcast]` of site.toml. The feed is written anyway, without episodes \
               that have no recording.",
    },
    Code {
        name: "internal",
        severity: Severity::Error,
        meaning: "convo-site has a bug",
        help: "Please report the message and, if you can, the file. This is a bug in convo-site, \
               not a problem with your files. If the message names a file, only that conversation \
               or page is not published. Otherwise the command ended early.",
    },
    Code {
        name: "invalid-encoding",
        severity: Severity::Warning,
        meaning: "the file contains bytes that are not valid text",
        help: "Look at the first place, which the message names, and save the file as UTF-8. Some \
               bytes are not valid in the encoding of the file. The conversation is published with \
               the character U+FFFD (a question mark in a diamond) in each of these places.",
    },
    Code {
        name: "large-file",
        severity: Severity::Warning,
        meaning: "the file is larger than 10 MB",
        help: "Split it into several conversations if you can. It is read and published, but its \
               pages may load slowly.",
    },
    Code {
        name: "light-only-color",
        severity: Severity::Hint,
        meaning: "a colour is set for light mode only",
        help: "Set the colour in `dark_colors` as well. `colors` in `[look]` of site.toml applies in light \
               and in dark mode, unless `dark_colors` overrides it. A light background with the \
               light text of dark mode cannot be read.",
    },
    Code {
        name: "lone-surrogate",
        severity: Severity::Warning,
        meaning: "half of a character is missing in JSON",
        help: "Add the missing half, or remove the code. JSON writes some characters as two codes, \
               such as `\\ud83d\\ude00`. Here one of the two is missing. The conversation is \
               published with the character U+FFFD in its place.",
    },
    Code {
        name: "long-line",
        severity: Severity::Warning,
        meaning: "a line is longer than 1 MB",
        help: "If the line is data in the text of a conversation, move it to a separate file. The \
               line is read and published, but editors and browsers may be slow with it.",
    },
    Code {
        name: "loss-actions",
        severity: Severity::Warning,
        meaning: "details of tool actions are lost",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The original records what a tool did, such as a file change or a search \
               with its results. The new file contains only the arguments of the call. Keep the \
               original if you need it, or choose another format with `--to`.",
    },
    Code {
        name: "loss-all",
        severity: Severity::Error,
        meaning: "a converted file is not recognised",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The file was written, but it is not recognised as a conversation in its \
               own format. Keep the original. You may be able to read the file by setting its \
               format: `format` in a `[[source]]` of site.toml, or `--from`.",
    },
    Code {
        name: "loss-attachments",
        severity: Severity::Warning,
        meaning: "attachments became plain text",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The format does not support attachments, so they became part of the text. \
               Keep the original if you need them, or choose another format with `--to`.",
    },
    Code {
        name: "loss-branches",
        severity: Severity::Warning,
        meaning: "alternative versions of a conversation are lost",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The format supports only a single line of turns. Alternative answers and \
               branches are missing or changed in the new file. Keep the original if you need \
               them, or choose another format with `--to`.",
    },
    Code {
        name: "loss-citations",
        severity: Severity::Warning,
        meaning: "citations became plain text",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The format does not support citations, the pages on which an answer is \
               based, so they became part of the text. Keep the original if you need them, or \
               choose another format with `--to`.",
    },
    Code {
        name: "loss-events",
        severity: Severity::Warning,
        meaning: "events became plain text",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The format does not support events between turns, so they became part of \
               the text. Keep the original if you need them, or choose another format with `--to`.",
    },
    Code {
        name: "loss-format",
        severity: Severity::Warning,
        meaning: "a converted file may be recognised as another format",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The new file is recognised as another format, or as more than one \
               conversation. Set its format when you use it: `format` in a `[[source]]` of \
               site.toml, or `--from`.",
    },
    Code {
        name: "loss-languages",
        severity: Severity::Warning,
        meaning: "languages are lost",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The new file does not declare all languages of the original. Keep the \
               original if you need them, or choose another format with `--to`.",
    },
    Code {
        name: "loss-metadata",
        severity: Severity::Warning,
        meaning: "metadata fields are lost",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The id of the conversation, or fields that the format does not support, \
               are missing or changed in the new file. Keep the original if you need them, or \
               choose another format with `--to`.",
    },
    Code {
        name: "loss-parent",
        severity: Severity::Warning,
        meaning: "the link to an earlier conversation is lost",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The original states which conversation it continues; the new file does \
               not. Keep the original if you need it, or choose another format with `--to`.",
    },
    Code {
        name: "loss-participants",
        severity: Severity::Warning,
        meaning: "names, kinds or models of participants are lost",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The format cannot store everything about a participant: its name, whether \
               it is a person or a program, its model, or other fields. Keep the original if you \
               need them, or choose another format with `--to`.",
    },
    Code {
        name: "loss-pending",
        severity: Severity::Warning,
        meaning: "marks on pending messages are lost",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The original marks messages that wait for an answer or for delivery; the \
               new file does not. Keep the original if you need them, or choose another format \
               with `--to`.",
    },
    Code {
        name: "loss-pins",
        severity: Severity::Warning,
        meaning: "pins are lost",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The original marks messages as pinned; the new file does not. Keep the \
               original if you need them, or choose another format with `--to`.",
    },
    Code {
        name: "loss-preface",
        severity: Severity::Warning,
        meaning: "text before the first turn is lost or changed",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The format does not support text without a speaker. Keep the original if \
               you need it, or choose another format with `--to`.",
    },
    Code {
        name: "loss-private",
        severity: Severity::Warning,
        meaning: "the new file is not marked as private",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The original is private, but the format cannot mark a file as private. If \
               you add the new file to a site, it is published. Keep it out of the content folder, \
               or withhold it with a `[[source]]` in site.toml that has `visibility = \
               \"private\"`.",
    },
    Code {
        name: "loss-speakers",
        severity: Severity::Warning,
        meaning: "speakers are lost or changed",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. Some turns have a different speaker in the new file, or the speakers are \
               in a different order. Keep the original if you need it, or choose another format \
               with `--to`.",
    },
    Code {
        name: "loss-tags",
        severity: Severity::Warning,
        meaning: "tags are lost",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The new file does not have all tags of the original. Keep the original if \
               you need them, or choose another format with `--to`.",
    },
    Code {
        name: "loss-text",
        severity: Severity::Warning,
        meaning: "the text of a turn has changed",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The text of some turns is different or missing in the new file. The \
               message names the turns. Compare them with the original, and keep the original.",
    },
    Code {
        name: "loss-thinking",
        severity: Severity::Warning,
        meaning: "a model's reasoning became plain text",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The format does not support the reasoning of a model before its answer, \
               so it became part of the text. Keep the original if you need it, or choose another \
               format with `--to`.",
    },
    Code {
        name: "loss-time",
        severity: Severity::Warning,
        meaning: "the time of a conversation is lost or changed",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The new file has no time for the conversation, or a different one. Keep \
               the original if you need it, or choose another format with `--to`.",
    },
    Code {
        name: "loss-title",
        severity: Severity::Warning,
        meaning: "the title is lost or changed",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The new file has no title, or a different one. Keep the original if you \
               need it, or choose another format with `--to`.",
    },
    Code {
        name: "loss-tool-details",
        severity: Severity::Warning,
        meaning: "details of tool calls are lost",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The new file contains the tool calls, but not all details: arguments, \
               approvals, results, errors, durations or other fields are missing. Keep the \
               original if you need them, or choose another format with `--to`.",
    },
    Code {
        name: "loss-tools",
        severity: Severity::Warning,
        meaning: "tool calls became plain text",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The format does not support tool calls and their results, so they became \
               part of the text. Keep the original if you need them, or choose another format with \
               `--to`.",
    },
    Code {
        name: "loss-turn-times",
        severity: Severity::Warning,
        meaning: "times of turns are lost or changed",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The original has times of turns; the new file has fewer, or different \
               ones. Keep the original if you need them, or choose another format with `--to`.",
    },
    Code {
        name: "loss-turns",
        severity: Severity::Warning,
        meaning: "the number of turns has changed",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. Turns were joined or split in the new file. Keep the original if you need \
               it, or choose another format with `--to`.",
    },
    Code {
        name: "loss-type",
        severity: Severity::Warning,
        meaning: "the type of a conversation is lost or changed",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The original states the type of the conversation, such as `\"type\": \
               \"interview\"`; the new file has none, or a different one. Keep the original if you \
               need it, or choose another format with `--to`.",
    },
    Code {
        name: "loss-unknown",
        severity: Severity::Warning,
        meaning: "unknown parts became plain text",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The original contains parts that convo-site does not know. In the new \
               file they became part of the text. Keep the original if you need them, or choose \
               another format with `--to`.",
    },
    Code {
        name: "loss-usage",
        severity: Severity::Warning,
        meaning: "models, token counts or costs of turns are lost",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. The original states which model wrote a turn, how many tokens it used, or \
               what it cost; the new file does not. Keep the original if you need them, or choose \
               another format with `--to`.",
    },
    Code {
        name: "loss-withheld",
        severity: Severity::Warning,
        meaning: "system prompts are omitted",
        help: "Reported only by `convert`. If you need them, keep the original or choose `cjson` \
               with `--to`. The original contains system prompts or other instructions of a \
               program. Sites do not show these unless a `[[source]]` has `show_system = true`. \
               The format cannot mark them as such, so they would be published. `convert` omits \
               them instead.",
    },
    Code {
        name: "lost-message",
        severity: Severity::Warning,
        meaning: "a message refers to an earlier message that is missing",
        help: "If the database was copied while `llm` was running, copy it again together with the \
               files beside it. In a database of `llm`, each message refers to the one before it. \
               The message that one of them refers to is missing, or it refers to itself. The messages \
               after the gap are published.",
    },
    Code {
        name: "made-up-time",
        severity: Severity::Warning,
        meaning: "a converted file has a time that is not in the original",
        help: "Reported only by `convert`, which reads its output back and compares it with the \
               original. Correct the time in the new file if you know it. The format requires a \
               time where the original has none, so `convert` invented one.",
    },
    Code {
        name: "merged",
        severity: Severity::Hint,
        meaning: "copies of a conversation were merged into one page",
        help: "Nothing to do. Two exports contain the same conversation, or a session was resumed \
               or copied to another file. The copies have the same id. The page contains \
               the turns of all copies, each once, in the newest version.",
    },
    Code {
        name: "missing-attachment",
        severity: Severity::Warning,
        meaning: "an attachment is missing",
        help: "Put the attachment at its path, or correct the path. Paths are relative to the file \
               of the conversation. The attachment has neither data nor a path or URL, or no file \
               exists there. The conversation is published with a placeholder in its place.",
    },
    Code {
        name: "missing-image",
        severity: Severity::Warning,
        meaning: "an image is missing",
        help: "Put the image at its path, which is relative to the file of the conversation: for \
               `![A clock](clock.png)`, put `clock.png` in the same folder. No file exists there. \
               The conversation is published with the description and the path of the image as \
               text.",
    },
    Code {
        name: "missing-key",
        severity: Severity::Error,
        meaning: "a required key is missing",
        help: "Add the key that the message names, or export the file again. A convo file \
               without `type`, `time`, `participants` or the name of a participant is not \
               published. Neither is a conv2md file without `messages`. In conv2md, vlinder \
               and chibi files, entries that lack required keys are skipped. A `[[source]]` of \
               site.toml needs `files`; without it, nothing is written.\n\n\
               As a warning, a less important key is missing, such as `schemaUrl` in CJSON. The \
               conversation is published without it.",
    },
    Code {
        name: "missing-message",
        severity: Severity::Warning,
        meaning: "a timeline refers to a message that is missing",
        help: "Restore the folder of the message, or remove its line from the timeline. In a \
               vlinder folder, a file in `timelines/` names a message folder that does not exist. \
               The conversation is published without this message.",
    },
    Code {
        name: "missing-people-key",
        severity: Severity::Error,
        meaning: "the key for pseudonyms is missing",
        help: "If you had a file `people.key` beside site.toml, restore it: with a different key, \
               everyone gets a different pseudonym, and pages with names in their titles get new \
               URLs. If you never had one, run `convo-site build`, which creates it. Keep it \
               with the conversations, and do not publish it. `[people]` in site.toml asks for \
               pseudonyms. They are derived from this secret key, so that readers cannot try \
               names until one matches.\n\n\
               On a server that must not have the file, such as CI, put its content into the \
               environment variable `CONVO_SITE_PEOPLE_KEY`, for example from the secrets of that \
               service. The variable takes precedence over the file.",
    },
    Code {
        name: "missing-recording",
        severity: Severity::Warning,
        meaning: "a recording does not exist",
        help: "Correct `media` in the front matter, in the header of the file or in the \
               `[[source]]`. It must be a file in the content folder or a URL that starts with \
               `https://`. A path is relative to the file that names it; in a `[[source]]` it is \
               relative to the content folder. It must not point outside the content folder. The \
               page is published without a player.",
    },
    Code {
        name: "misspelled-key",
        severity: Severity::Warning,
        meaning: "a key looks like a misspelt `private`",
        help: "Correct the spelling, or rename the key. A key in the metadata of a conversation or \
               a turn is one letter away from a key that controls who may read it, such as \
               `private` or `visibility`, or when, such as `draft`, `publish` or `expires`. To be \
               safe, it is read as that key. With `privte: true` or `draf: true`, the conversation \
               or turn is not published, and a date under `pubish` or `expries` takes effect.",
    },
    Code {
        name: "more-addresses",
        severity: Severity::Warning,
        meaning: "a turn has many URLs that cannot be links or images",
        help: "Fix the URLs that are reported; the next run then reports others. Only the first \
               hundred are reported one by one, and the message gives the number of the rest. The \
               conversation is published with these URLs as text, or as links instead of images.",
    },
    Code {
        name: "more-notes",
        severity: Severity::Error,
        meaning: "a file has more than 10,000 problems of one kind",
        help: "The file may be damaged, or read in the wrong format: set the correct one with \
               `format` in a `[[source]]` of site.toml. The first 10,000 problems are reported one \
               by one. This message states how many more there are, and their code. It has the same \
               severity as they do.",
    },
    Code {
        name: "names-differ",
        severity: Severity::Warning,
        meaning: "the agent in the file name is not the agent in the session",
        help: "If the name is wrong, rename the file or change `agent`. The name of a vlinder \
               session file and the key `agent` in it do not match. The conversation is published \
               with the name in the session.",
    },
    Code {
        name: "near-name",
        severity: Severity::Hint,
        meaning: "words that are similar to a replaced name were kept",
        help: "If a word refers to a person, add it as written to the `names` of that person in \
               `[people]`. Names of people with a pseudonym are replaced in all forms. These \
               include lower case for rare names, look-alike letters of other alphabets, Base64, \
               quoted-printable, and text before the `@` of e-mail addresses. Some words are only \
               similar to a name: a short one in lower case, one inside a longer word, or one of a \
               person who does not speak. These are kept and counted, except everyday words of the \
               language of the conversation, such as `will`.",
    },
    Code {
        name: "no-base-url",
        severity: Severity::Warning,
        meaning: "`base_url` is not set",
        help: "Set `base_url` in site.toml to the URL of the site, such as `base_url = \
               \"https://ada.github.io/talks/\"`, or use `--base-url` on the command line. Without \
               it, the site is published without a sitemap, feeds and the canonical URLs that \
               search engines need.",
    },
    Code {
        name: "no-blank-line",
        severity: Severity::Error,
        meaning: "no blank line above the metadata",
        help: "Add a blank line above the line of dashes. In a convo file, the line of dashes \
               before the object needs one; otherwise Markdown reads the dashes as the underline \
               of a heading. The conversation is not published.",
    },
    Code {
        name: "no-content",
        severity: Severity::Warning,
        meaning: "the content folder is empty",
        help: "Put conversations into the folder, or choose another one in site.toml, such as \
               `content = \"texts/talks\"`. The site is published without conversations.",
    },
    Code {
        name: "no-content-folder",
        severity: Severity::Error,
        meaning: "the content folder does not exist",
        help: "Create the folder, check that you can read it, or change `content` in site.toml. \
               The folder that `content` names does not exist or cannot be read; the default is \
               `content`. Symbolic links that leave the site folder are not followed. Nothing is \
               written, and the site is unchanged.",
    },
    Code {
        name: "no-conversations",
        severity: Severity::Error,
        meaning: "the content folder contains no conversations",
        help: "See the other messages, which say what each file looks like. `convo-site list \
               formats` lists the formats that convo-site reads; `content` in site.toml selects \
               another folder. No file in the folder could be read as a conversation, so the site \
               is published without any.",
    },
    Code {
        name: "no-host",
        severity: Severity::Hint,
        meaning: "no host is set, so host limits were not checked",
        help: "Reported by `check --publish` and `deploy`. Set your host in site.toml, as `host = \
               \"github-pages\"`, `\"netlify\"` or `\"cloudflare-pages\"` in `[deploy]`. `check` \
               then compares the site with the limits of that host on the number and size of files \
               and the number of redirects. With `\"other\"`, nothing is checked.",
    },
    Code {
        name: "no-metadata",
        severity: Severity::Error,
        meaning: "a convo file does not end with its metadata",
        help: "Add an empty line at the end, a line `----`, and below it an object such as `{ \
               \"type\": \"dialog\", \"time\": \"2026-03-04\", \"participants\": [\"Ada\"] }`. A \
               convo file ends with a line of at least four dashes and one JSON object after it. \
               Without them, the conversation is not published. As a warning, this is another \
               file, such as a `.md` file, with lines such as `### @Ada`. It is not published \
               either.",
    },
    Code {
        name: "no-output",
        severity: Severity::Error,
        meaning: "the output folder contains no site",
        help: "Reported only by `check --publish`, which checks the site on disk. Run `convo-site \
               build` first. If you build with `-o`, use the same option for `check --publish`.",
    },
    Code {
        name: "no-pictures",
        severity: Severity::Error,
        meaning: "this convo-site cannot draw pictures",
        help: "Remove `per_conversation` from `[og_images]` in site.toml, or install a convo-site with \
               the feature `pictures`, which is on by default. The setting asks for a picture of each \
               conversation, but this convo-site was built without that feature. Everything else is \
               built.",
    },
    Code {
        name: "no-site",
        severity: Severity::Error,
        meaning: "the folder is not a site",
        help: "Pass the right folder on the command line, or create a site with `convo-site init \
               my-talks`. A site is a folder that contains a `site.toml`. Without one, the command \
               does nothing.",
    },
    Code {
        name: "no-target",
        severity: Severity::Hint,
        meaning: "the target of a link does not exist on the site",
        help: "Correct the link, or ignore this hint if the target is not meant to exist. Paths \
               are relative to the file of the conversation, such as `[the \
               talk](../2025/talk.convo)`. A conversation links to a file or a page that does not \
               exist, so its URL is shown as text instead of a link.",
    },
    Code {
        name: "no-turns",
        severity: Severity::Error,
        meaning: "no messages found in the file",
        help: "Start a turn with a line such as `### @Ada` in a convo file or `**Ada:** Hello` in \
               a transcript, or delete the file. A conversation without turns has no page. This is \
               an error in convo files, Markdown transcripts and conv2md, a warning in chibi logs \
               and vlinder sessions, and a hint in CJSON, captions and logs of other \
               programs.",
    },
    Code {
        name: "not-an-image",
        severity: Severity::Warning,
        meaning: "a file that a conversation refers to is not an image",
        help: "Save the picture as PNG, JPEG, GIF, WebP or AVIF, or link to a page on the web \
               instead. Of the files beside a conversation, only images in these formats are \
               published. An image or a link refers to another kind of file. Its URL is shown as \
               text, and the file is not published.",
    },
    Code {
        name: "not-generative",
        severity: Severity::Warning,
        meaning: "a participant has a model but is not marked as generative",
        help: "Add `\"generative\": true`, or remove the model if the participant is a person. In \
               a convo file, a participant with `\"generative:model\"` needs `\"generative\": \
               true`. Without it, the participant is published as a person, unless `\"kind\"` says \
               otherwise.",
    },
    Code {
        name: "not-indexed",
        severity: Severity::Hint,
        meaning: "search engines are asked not to list a page",
        help: "To list the page anyway, set `\"index\": true` in the metadata of the conversation. \
               With `index = \"auto\"` in site.toml, this affects conversations that are short, \
               have no title of their own, are not reviewed, or are nearly the same as an older \
               one. The page is published, and readers find it on the site.",
    },
    Code {
        name: "not-media",
        severity: Severity::Warning,
        meaning: "an attachment is not the type of file that it claims to be",
        help: "Correct its type, or replace the file. The conversation says that it is an image, \
               audio or a video, but browsers cannot show its data as such. It is published as a \
               file that readers can download.",
    },
    Code {
        name: "not-redacted",
        severity: Severity::Error,
        meaning: "a conversation cannot be redacted",
        help: "Import the conversation without `--redact`, into a site whose sources are not in a \
               public repository. `import --redact` checks each file before it is written. This \
               one still contains a secret, a word of `[[redact]]` or a name that must not be in a \
               public file, in a place where it cannot be replaced. The file was not written.",
    },
    Code {
        name: "not-shown",
        severity: Severity::Hint,
        meaning: "some records are not published",
        help: "Nothing to do. Logs and exports contain more than conversations: progress, snapshots \
               of files, settings, instructions for the model, conversations without messages. These \
               records are never published. The message counts them.",
    },
    Code {
        name: "not-utf-8",
        severity: Severity::Warning,
        meaning: "the file is in a legacy encoding",
        help: "If letters look wrong on the page, save the file as UTF-8, for example with `iconv \
               -f windows-1252 -t UTF-8`. The file is not UTF-8, so convo-site guessed its \
               encoding, which the message names. The file is published.",
    },
    Code {
        name: "nul",
        severity: Severity::Warning,
        meaning: "the file contains NUL bytes",
        help: "Remove these bytes; often they mean that the file was damaged when it was copied or \
               written. A page cannot contain a NUL byte. The conversation is published with the \
               character U+FFFD in place of each.",
    },
    Code {
        name: "odd-time",
        severity: Severity::Warning,
        meaning: "a numeric time is unusually large or small",
        help: "Compare the times on the page with the correct ones. A numeric time is read as \
               seconds since the start of 1970. This one is outside of the years 1970 to 2099, or \
               too large for seconds. If it fits as milliseconds, microseconds or nanoseconds, it \
               is read as that. Otherwise it is ignored. The conversation is published.",
    },
    Code {
        name: "original-withheld",
        severity: Severity::Hint,
        meaning: "an original file is not offered for download",
        help: "Nothing to do: the page and the other downloads are published. `downloads` in \
               site.toml offers readers the file from which a conversation was read. This file \
               contains something that is redacted on the page, or a secret that the page does not \
               show, so it is not published.",
    },
    Code {
        name: "orphan-page",
        severity: Severity::Warning,
        meaning: "no link on the site leads to a page",
        help: "Reported only by `check`, for pages that search engines may list. If you use a \
               custom template, check whether a listing or a link to the next page is missing. The \
               page is published, but readers cannot reach it from the home page.",
    },
    Code {
        name: "orphan-parent",
        severity: Severity::Warning,
        meaning: "the conversation that this one continues is missing",
        help: "Add the other conversation, or correct the id. This conversation says that it \
               continues another one, but no conversation on the site has that id. It is published \
               without a link to it. A withheld conversation is treated as missing.",
    },
    Code {
        name: "orphan-result",
        severity: Severity::Warning,
        meaning: "a tool result has no matching call",
        help: "Add the missing part of the log, or correct the id of the call. A file contains the \
               result (or approval) of a tool call, but not the call. In a CJSON file or a log of \
               chibi, it is published separately. In logs and exports of other programs, it is \
               not published, because without the call convo-site cannot tell whether the tool \
               reads personal data.",
    },
    Code {
        name: "outdated-copy",
        severity: Severity::Warning,
        meaning: "a built-in template has changed since it was copied",
        help: "Print the built-in template with `--print`, and copy what you need from it, \
               including its first line. This template was copied into the site by `convo-site \
               theme eject`, and convo-site now contains a newer version. The copy is used, but it \
               may lack something or use something that no longer exists. To change only a part of \
               a template, you do not need a copy: a template that begins with `{% extends \
               \"built-in/base.html\" %}` replaces only the blocks it defines.",
    },
    Code {
        name: "outside-base",
        severity: Severity::Error,
        meaning: "a link on the same host leaves the site",
        help: "Reported only by `check`. Put the path of `base_url` in front of the link, or \
               remove it. The site is below a path, such as `/talks/`. A link starts with `/` or \
               with the URL of the host, but is not below that path. Often a custom template has a \
               link such as `/about/` that should be `/talks/about/`.",
    },
    Code {
        name: "page-too-large",
        severity: Severity::Warning,
        meaning: "a page is larger than 1.5 MB",
        help: "Reported only by `check`. Lower `page_turns` or `page_kilobytes` in site.toml, so \
               that the conversation is split into more pages, or shorten a very long turn. The \
               page is published, but search engines read only the first 2 MB, and it loads \
               slowly.",
    },
    Code {
        name: "parent-cycle",
        severity: Severity::Warning,
        meaning: "conversations continue each other in a loop",
        help: "Correct `parentId` in one of them. Each of these conversations says that it \
               continues the previous one, which leads back to the first. They are published \
               without links to one another.",
    },
    Code {
        name: "path-taken",
        severity: Severity::Error,
        meaning: "two files of the site have the same URL",
        help: "Remove one of the two, or choose another URL. Often one is a redirect: a URL under \
               `aliases` of a conversation or in `[redirects]` of site.toml is also the URL of a \
               page. The first file keeps the URL, and the other is not published.",
    },
    Code {
        name: "people-key-made",
        severity: Severity::Warning,
        meaning: "a new key for pseudonyms was created",
        help: "Keep the new file `people.key` beside site.toml together with the conversations. \
               Keep it secret: anyone who has it can test which name a pseudonym stands for. \
               `[people]` in site.toml asks for pseudonyms, and the file was missing, so it was \
               created. With a different key, everyone gets a different pseudonym. If this is reported \
               again on another machine, or by every build on a server, the file is missing there: \
               copy it there in the same way as the conversations.",
    },
    Code {
        name: "personal-data",
        severity: Severity::Warning,
        meaning: "personal data is published",
        help: "To redact it, set `personal = \"redact\"` in `[gate]`; `[gate.rules]` sets what \
               happens to a single kind. Conversations contain e-mail addresses, phone numbers or \
               other personal data. `personal = \"warn\"` in `[gate]` of site.toml asks for this \
               warning.",
    },
    Code {
        name: "plain-text",
        severity: Severity::Warning,
        meaning: "a turn is too large to be parsed as Markdown",
        help: "Split the turn into several, or move long data to a separate file. It contains more \
               than a million lines and Markdown marks. It is published as plain text, without \
               headings, links and other markup.",
    },
    Code {
        name: "preface",
        severity: Severity::Warning,
        meaning: "there is text before the first turn",
        help: "If it is part of a turn, put a line such as `### @Ada` above it in a convo file, or \
               start it with `**Ada:**` in a transcript. A convo file or transcript contains text \
               above the first speaker. It is published above the first turn, as an introduction.",
    },
    Code {
        name: "quoted-heads",
        severity: Severity::Hint,
        meaning: "lines inside a message look like other messages",
        help: "If they are separate messages, remove the quotation mark that starts the first one. \
               LINE puts a message of several lines in quotation marks, and some lines in this one \
               start with a time and a name, as messages do. They are shown as part of the \
               message: its sender may have copied them, or made them up.",
    },
    Code {
        name: "redacted",
        severity: Severity::Hint,
        meaning: "something was redacted",
        help: "Revoke every secret that others may have seen; redacting it does not revoke it. A \
               placeholder replaces secrets, personal data or words of a \
               `[[redact]]`, as set in site.toml or gate.toml. This includes pages, their URLs, \
               downloads, feeds and search. Files in the content folder are never changed.",
    },
    Code {
        name: "redacted-attachment",
        severity: Severity::Warning,
        meaning: "an attached file is not published",
        help: "Remove what must be hidden from the file, or accept the finding with `convo-site \
               review`. The attached file contains something that is redacted. Files are published \
               unchanged or not at all, so a placeholder is shown in its place.",
    },
    Code {
        name: "refused-address",
        severity: Severity::Warning,
        meaning: "a URL is not allowed on pages",
        help: "Write an allowed URL, without backslashes and without spaces at its ends. Pages may \
               contain URLs that start with `https:`, `http:` or `mailto:`, and relative ones. \
               Others can run code or open a reader's local files. The conversation is published \
               with the URL as text, or with a placeholder if it is the URL of an attachment.",
    },
    Code {
        name: "refused-attachment",
        severity: Severity::Warning,
        meaning: "an attachment is itself a file of conversations",
        help: "Link to the conversation in the text instead, or attach another file. The \
               attachment is a file that is read as conversations, or looks like one. It may \
               contain private text, so it is not published. A placeholder is shown in its place.",
    },
    Code {
        name: "refused-recording",
        severity: Severity::Warning,
        meaning: "a recording is not published or cannot be played",
        help: "Pages play files in the content folder, and files on a host that `allow` in \
               `[services]` of site.toml lists for `media`. They play only audio and video \
               that browsers support: MP3, M4A, Opus, Ogg, FLAC, WAV, MP4 and WebM. A \
               recording that a `[[source]]` withholds is not published.\n\n\
               If names in a conversation are replaced, or something is redacted or omitted, the \
               recording beside it still contains all of it. It is not published, not even with \
               another transcript. Cut the recording, then name it with `media = \"…\"`, which \
               declares that everyone may hear it. A URL on another host that contains a replaced \
               name or something redacted is not used.",
    },
    Code {
        name: "remote-image",
        severity: Severity::Hint,
        meaning: "an image on another host is shown as a link",
        help: "Save the image beside the conversation, or allow its host in site.toml: \
               `image_hosts = [\"images.example.org\"]`. This works for URLs that start with \
               `https:`. Pages load nothing from other hosts, because that would reveal who reads \
               them. The conversation is published with a link in place of the image.",
    },
    Code {
        name: "repeated-key",
        severity: Severity::Warning,
        meaning: "a JSON key occurs twice",
        help: "Remove one of the two. The same key occurs twice in one object, and the last one is \
               used. For keys about privacy, all of them are used. The conversation is published.",
    },
    Code {
        name: "same-address",
        severity: Severity::Warning,
        meaning: "two collections have the same URL",
        help: "Rename one of them. If the folder is meant to be the series, add `series: NAME` to \
               its `_index.md`. The URL of a collection is made from the name of its folder or \
               series. The second one gets a suffix, which does not change while both exist.",
    },
    Code {
        name: "same-part",
        severity: Severity::Warning,
        meaning: "two parts of a series have the same number",
        help: "Change the number of one of them. Two conversations of a series have the same \
               `series_order`. Both are in the series, the older one first.",
    },
    Code {
        name: "search-engine",
        severity: Severity::Error,
        meaning: "a search engine cannot be reached or reports an error",
        help: "Fix the problem that the message names, and run the same command again: it \
               continues where it stopped. `search-index --to opensearch` and `search` send requests \
               to a search engine. If it is busy or unavailable, they \
               retry for some minutes and then report its last response. Data that was sent \
               stays in the engine. A single turn that the engine rejects, for example because \
               it is too large, is reported with the folder of its conversation. Everything \
               else can be found.\n\n\
               Credentials come from CONVO_SITE_ENGINE_CREDENTIALS, as `name:password` or a header \
               such as `ApiKey …`, or from the file that CONVO_SITE_ENGINE_CREDENTIALS_FILE names. \
               They are sent only over https, or to this machine.",
    },
    Code {
        name: "secret-found",
        severity: Severity::Warning,
        meaning: "a possible secret is published",
        help: "If it is a secret, revoke it with its issuer, and redact it with \
               `[gate.rules]`. If not, accept it with `convo-site review`, which adds an entry to \
               gate.toml that does not contain the secret. Something looks like a password, a key \
               or a token, but may be harmless. Or `[gate]` in site.toml publishes secrets of this \
               kind with a warning.",
    },
    Code {
        name: "secret-held",
        severity: Severity::Error,
        meaning: "a conversation is withheld because it contains a secret",
        help: "First revoke the secret with its issuer; removing it from a site does not revoke \
               it. Then redact it with `[gate]` or `[gate.rules]` in site.toml, or look \
               at all findings with `convo-site review`, which can also accept false \
               positives. The conversation contains a password, a key, a token or another \
               secret. It is not published, and pages of earlier builds are removed. The \
               message shows at most the first four and the last two characters.\n\n\
               A word of a `[[redact]]` withholds a conversation if it cannot be removed and \
               readers would still see it. Write the word without links or other markup inside it.",
    },
    Code {
        name: "secret-in-output",
        severity: Severity::Error,
        meaning: "a foreign file in the output folder contains a secret",
        help: "Reported only by `check --publish`. Move the file away. If it was published, \
               revoke the secret. Everything in the output folder is published with \
               the site. Builds do not change files that they did not write, so nothing in them is \
               redacted.",
    },
    Code {
        name: "secret-in-site",
        severity: Severity::Error,
        meaning: "the site's own style sheet, script or site.toml contains a secret",
        help: "Remove the secret from the file. If it was published, revoke it. `style.css` and \
               `script.js` beside site.toml are published unchanged, and \
               texts of site.toml appear on pages. They must not contain secrets, words of \
               `[[redact]]` or names that have a pseudonym. Such a style sheet or script is not \
               published; in texts of site.toml it is redacted.",
    },
    Code {
        name: "secret-missed",
        severity: Severity::Error,
        meaning: "the last check found a secret that the first one missed",
        help: "Please report this bug in convo-site with the kind of secret and the markup around \
               it, but never the secret itself. Revoke the secret if the site was published \
               before. Every conversation is searched for secrets when it is read, and everything \
               made from it is searched again before it is written. Only the second search found \
               this secret, for example because markup splits it. The conversation or the file was \
               not published.",
    },
    Code {
        name: "shadowed-rule",
        severity: Severity::Warning,
        meaning: "a `[[source]]` never applies",
        help: "Combine this `[[source]]` with the earlier one that matches the same files, or move \
               it above. Only the first `[[source]]` that matches a file applies to it, except \
               for who can read it: `visibility` and the like come from the first one that sets \
               them.",
    },
    Code {
        name: "silent-participant",
        severity: Severity::Error,
        meaning: "a participant never speaks",
        help: "Correct the name, so that it is the same as in `### @Ada`, or remove it from \
               `participants`. In a convo file, every participant needs at least one turn. The \
               conversation is published, because nothing that was said is in doubt.",
    },
    Code {
        name: "speakers-without-page",
        severity: Severity::Hint,
        meaning: "many speakers with few words have no page of their own",
        help: "Nothing to do: all speakers are named where they speak, and search finds them. The \
               page of a speaker lists their conversations. If a site has very many speakers with \
               few words, these pages would be many times larger than the texts. Then a speaker \
               has a page only with at least 200 words, plus 40 for each conversation. This \
               limit applies only to sites with more than about a thousand such speakers.",
    },
    Code {
        name: "special-file",
        severity: Severity::Warning,
        meaning: "a folder contains something that is neither a file nor a folder",
        help: "Move it away to silence the warning. It is a device, a pipe or a socket, and is not \
               read. Everything else is published.",
    },
    Code {
        name: "stale-output",
        severity: Severity::Error,
        meaning: "the output folder does not match the site that was checked",
        help: "Reported only by `check --publish`. Run `convo-site build` with the same options as \
               the check, and check again. Files are missing, differ from what a build would write \
               now, or come from an earlier build. Either something changed since the last build, \
               or it had different options: `--base-url`, `--env`, `--today` and \
               `--include-private` change what is written. If the list `.convo-site-files` is \
               lost, convo-site cannot tell which files come from earlier builds. Delete those, as \
               they may contain what is withheld now.",
    },
    Code {
        name: "static-refused",
        severity: Severity::Error,
        meaning: "a file in `static/` is not copied",
        help: "Remove the file from the folder. Files in `static/` are published unchanged, but \
               this one looks as if it is not meant to be public. Its name starts with a dot or is \
               that of a key; it contains conversations or is marked as private; it is an archive, \
               which is not searched, or a damaged picture. Or its content or name contains a \
               secret, something that is redacted on pages, or a name that must not appear.",
    },
    Code {
        name: "stray-rows",
        severity: Severity::Warning,
        meaning: "rows of a database belong to no conversation",
        help: "If they should be published, close the program that uses the database, and copy it \
               again together with the files beside it. The database contains rows with text that \
               name no conversation, or one that is not in it, such as the remains of a deleted \
               session. They are not published.",
    },
    Code {
        name: "symlink",
        severity: Severity::Warning,
        meaning: "a symbolic link is not followed",
        help: "Replace the link with the file or folder itself. Symbolic links may leave the site \
               or form a loop, so their targets are not read and not published.",
    },
    Code {
        name: "system",
        severity: Severity::Error,
        meaning: "the operating system reported an error",
        help: "Fix the cause that the message names, and run the command again. A file or a folder \
               could not be read, written or removed, so the command stopped. For example, the \
               disk is full, you have no permission, or the output folder contains something that \
               is not from this site and is in the way. Every file of the site is complete, either \
               old or new.",
    },
    Code {
        name: "telling-name",
        severity: Severity::Error,
        meaning: "a file name would reveal something that must not be published",
        help: "Rename the file or folder. The URL of a page in `pages/`, or of a collection, is \
               made from the names of its file and folder. This name contains a word of \
               `[[redact]]`, a secret, or the name of a person who has a pseudonym. It is not \
               published.",
    },
    Code {
        name: "text-after-metadata",
        severity: Severity::Error,
        meaning: "there is text after the metadata",
        help: "Move the text above the line of dashes, or delete it. In a convo file, the object \
               after the line of dashes must be the last thing in the file. The conversation is \
               not published.",
    },
    Code {
        name: "too-large",
        severity: Severity::Error,
        meaning: "a file or a turn is too large",
        help: "Split it into several files or turns. The limit is 64 MB for a file that must \
               be read at once and for a conversation of an export, and 16 MB for a turn. A \
               convo file may have 300,000 turns, and a ChatGPT or Claude conversation 250,000 \
               messages. A conversation beyond these limits is not published. If a line of a \
               log is longer than 64 MB, this line and everything after it is skipped.\n\n\
               A conversation is also not published if everyone in it needs a pseudonym and there are \
               too many names to search for.",
    },
    Code {
        name: "too-long",
        severity: Severity::Warning,
        meaning: "a title, tag or name is too long",
        help: "Shorten it if you can. The message says which it is: a title, a tag, a type, the \
               name of a model or speaker, or a list of tags is longer than pages can repeat. \
               Titles, types, models and speakers are shortened; tags that are too long, or too \
               many, are omitted. The conversation is published. `convert` keeps everything except \
               names of speakers, which are always cut after 1,000 characters.",
    },
    Code {
        name: "too-many-branches",
        severity: Severity::Warning,
        meaning: "the alternatives to a turn are too large for a page",
        help: "To keep everything, use `convert`. All alternative answers to a question, and what \
               follows them, are on the page of that question. Once they exceed 12 MB of the page, \
               the remaining ones are not published, and neither is what follows them. The branch \
               that was open last is always published in full.",
    },
    Code {
        name: "trailing-comma",
        severity: Severity::Warning,
        meaning: "the JSON has a trailing comma",
        help: "Remove the comma. There is a comma before `]` or `}`, which JSON does not allow. It \
               is ignored here, and the conversation is published, but other programs may reject \
               the file.",
    },
    Code {
        name: "turns-held-back",
        severity: Severity::Hint,
        meaning: "some turns are private or deleted",
        help: "To publish a turn, remove its privacy mark. Private turns and deleted messages are \
               not published; the rest of the conversation is. The message gives their number and \
               the position of the first.",
    },
    Code {
        name: "two-preferred",
        severity: Severity::Warning,
        meaning: "two alternative answers are both preferred",
        help: "Remove `\"isPreferred\": true` from all but one. In CJSON, messages with the same \
               `index` are alternatives, and one of them may be preferred. Here more than one is. \
               All are published, and the first preferred one is shown first.",
    },
    Code {
        name: "two-recordings",
        severity: Severity::Hint,
        meaning: "there are several recordings of a conversation",
        help: "To choose another one, set `media = \"…\"` in front matter or in a `[[source]]`. \
               The recording of a conversation is the file beside it with the same name and \
               another extension. If there are several, videos come first, then M4A, MP3, Opus, \
               Ogg, FLAC and WAV; files that browsers cannot play are ignored. The others are not \
               published.",
    },
    Code {
        name: "unclosed-block",
        severity: Severity::Warning,
        meaning: "a code block or HTML block is not closed",
        help: "Close the block, for example with a line of three backticks; the message names the \
               line where it starts. If the line of the speaker is part of the code, write it as \
               `\\#\\#\\# @Ada` in a convo file, or as `**Ada\\:**` in a transcript. The block \
               would hide the next turn, so it was closed before that turn. All turns are \
               published.",
    },
    Code {
        name: "undeclared-speaker",
        severity: Severity::Error,
        meaning: "a speaker is not listed as a participant",
        help: "Add the name, such as `\"participants\": [\"Ada\", \"Wren\"]`, or correct its \
               spelling. In a convo file, every speaker must be listed under `participants`. The \
               conversation is not published.",
    },
    Code {
        name: "unknown-attachment",
        severity: Severity::Warning,
        meaning: "the kind of an attachment is unknown",
        help: "Correct the kind, or export the file again. CJSON has no such `attachmentKind`. The \
               attachment is published anyway, in a form that fits its data.",
    },
    Code {
        name: "unknown-block",
        severity: Severity::Warning,
        meaning: "a part of a message is of an unknown type",
        help: "Correct its type, or remove it if it should not be published. CJSON has no such \
               `blockType`, or the part has none. It is published unchanged, as data. The rest of \
               the message is read as usual.",
    },
    Code {
        name: "unknown-entry",
        severity: Severity::Warning,
        meaning: "a log entry is of an unknown type",
        help: "Correct its type, or remove it if it should not be published. The `entry_type` of a \
               line in a chibi log, or the type of a vlinder message, is unknown. The entry is \
               published unchanged, as data.",
    },
    Code {
        name: "unknown-file",
        severity: Severity::Hint,
        meaning: "a file or folder in the site folder is not used",
        help: "Check its name: conversations are read from `content`, plain pages from `pages`, \
               and files in `static` are copied to the site unchanged. A folder may have a \
               different name than in site.toml. The file or folder is not part of the site, and \
               convo-site does not recognise it as something else, such as a README. If you keep \
               it there for another purpose, ignore this hint.",
    },
    Code {
        name: "unknown-format",
        severity: Severity::Error,
        meaning: "the format of a file is not known",
        help: "The file is not published. As a warning, it looks like a conversation that \
               cannot be read, or files with its extension are not supported. As a hint, the \
               message says what else it looks like. As an error, `convert` found nothing to \
               convert.\n\n\
               1. If it is an export, `convo-site list formats` lists the programs whose \
               exports convo-site reads. `convo-site list formats chatgpt` says where to get \
               an export and which of its files it needs. Copy all of them, unchanged, into \
               the content folder.\n\n\
               2. If it is in one of these formats but was not recognised, set the format in \
               site.toml: `[[source]]`, and below it `files = \"talk.txt\"` and `format = \
               \"markdown\"`. For `convert`, use `--from markdown`.\n\n\
               3. If it is a conversation in no known format, rewrite it as Markdown, with \
               `**Ada:**` before each of Ada's turns.\n\n\
               4. If it is not a conversation, write `ignore = true` instead of the format, or \
               move it away.\n\n\
               Discord's own data export is not supported: it contains only the messages of \
               the account's owner, not those of others. Export the channels with \
               DiscordChatExporter, as JSON.\n\n\
               Poe, Meta AI, Jan and TypingMind are not supported: there is no \
               reliable documentation of their exports, and a wrong guess could publish something \
               private. Convert such a conversation to Markdown.",
    },
    Code {
        name: "unknown-key",
        severity: Severity::Error,
        meaning: "a key is unknown",
        help: "Correct the spelling, or remove the key. In site.toml or a `[[source]]`, it has no \
               effect. If it may have been meant to control which files are published, nothing is \
               written. In a file in `locales/`, only this text is ignored.",
    },
    Code {
        name: "unknown-kind",
        severity: Severity::Warning,
        meaning: "the kind of a participant is unknown",
        help: "Use one of the four kinds, or remove the key. In a convo file, the `\"kind\"` of a \
               participant is `person`, `assistant`, `system` or `tool`. Any other value has no \
               effect: the participant is published as a person, or as an assistant if it is \
               generative.",
    },
    Code {
        name: "unknown-language",
        severity: Severity::Warning,
        meaning: "convo-site has no translation for the language of the site",
        help: "Choose one of the languages that the message lists, or add a translation as \
               `locales/<tag>.toml` in the site folder. convo-site has no texts in the language \
               that `language` in site.toml names, so they are in English. Conversations keep \
               their own language.",
    },
    Code {
        name: "unknown-message-type",
        severity: Severity::Warning,
        meaning: "the type of a message is unknown",
        help: "Correct the type, or export the file again. In CJSON, `messageType` is `text` or \
               `composite`; here it is missing or has another value. The message is published, and \
               its `content` and `contentBlocks` are read anyway.",
    },
    Code {
        name: "unknown-name",
        severity: Severity::Warning,
        meaning: "no colour or font of the theme has that name",
        help: "Use one of the names that the message lists, such as `colors = { link = \"#00695c\" \
               }`. A name in `colors`, `dark_colors` or `fonts` in `[look]` of site.toml is in \
               none of the theme's style sheets. The site is published, and the line has no \
               effect.",
    },
    Code {
        name: "unknown-record",
        severity: Severity::Warning,
        meaning: "a record in an export is of an unknown kind",
        help: "Please report the name of the kind to the developers. The program that wrote the \
               export has a new or rare kind of record. A placeholder with the name of the kind is \
               published in its place, but not its content, which may be private. In chats between \
               people, no placeholder is shown, and the message quotes nothing from it.",
    },
    Code {
        name: "unknown-role",
        severity: Severity::Warning,
        meaning: "the role of a message is unknown",
        help: "Correct the role if it is wrong. In CJSON, `role` is `user`, `assistant` or `tool`. \
               The message is published: with `system` and `developer` as a system message, and \
               with any other role as a message of a person with that name.",
    },
    Code {
        name: "unknown-state",
        severity: Severity::Warning,
        meaning: "the state of a tool call is unknown",
        help: "Correct the state if it is misspelt; the message lists the valid ones. CJSON has no \
               such `toolApprovalState` or `toolResultState`. It is published unchanged.",
    },
    Code {
        name: "unknown-template",
        severity: Severity::Warning,
        meaning: "no page uses a template with that name",
        help: "Rename the file to the template that it should replace; `convo-site theme eject` \
               lists their names. A file in `templates/` replaces the built-in template of the \
               same name, or is included or extended by one that does. This one does neither, so \
               it has no effect. To change a part of a template without a copy, extend it and fill \
               one of its blocks: `{% extends \"built-in/base.html\" %}` and `{% block footer \
               %}…{% endblock %}`.",
    },
    Code {
        name: "unknown-theme",
        severity: Severity::Error,
        meaning: "no theme has that name",
        help: "Correct the name; `convo-site list themes` lists all themes. A custom theme is a \
               folder `themes/<name>/` in the site folder. `theme` in site.toml, or `extends` in a \
               `theme.toml`, names a theme that does not exist, so `paper` is used instead.",
    },
    Code {
        name: "unknown-version",
        severity: Severity::Warning,
        meaning: "the file is of an unknown version of CJSON",
        help: "Check the page: features of the new version may be missing. `schemaUrl` names a \
               version that convo-site does not know. The file is read as version 0.1.0 and \
               published.",
    },
    Code {
        name: "unknown-visibility",
        severity: Severity::Error,
        meaning: "a visibility value is unknown",
        help: "Write `public` or `private`, `true` or `false`, or a time such as `2027-01-01` or \
               `2027-01-01T09:00:00+01:00`. A key such as `visibility`, `access` or `published` \
               has a value that is not clear, such as `\"visibility\": \"tier 2\"`. Or `publish`, \
               `embargo_until` or `expires` has a value that is not a time, such as `next May`. To \
               be safe, the conversation or the turn is treated as private and is not published. A \
               convo file is skipped until you fix it.",
    },
    Code {
        name: "unknown-zone",
        severity: Severity::Warning,
        meaning: "a time zone is unknown",
        help: "Use a name from the IANA time zone database, such as `[Europe/London]`. A time \
               has a zone that does not exist, such as `[Mars/Olympus]`. The conversation is \
               published, and the time is read without the zone; an offset such as `-05:00` is \
               used.\n\n\
               In a mail message, it is an abbreviation that is unknown or ambiguous, such as `IST`, and \
               you do not need to do anything. A time without a zone is in the `time_zone` of \
               site.toml, or of the `[[source]]` of the file.",
    },
    Code {
        name: "unlisted-message",
        severity: Severity::Warning,
        meaning: "no timeline contains a message",
        help: "Add the folder of the message as a line to a file in `timelines/`, or delete it. In \
               a vlinder folder, no timeline of the session names this message folder. The message \
               is not published; the rest of the conversation is.",
    },
    Code {
        name: "unmatched-edit",
        severity: Severity::Error,
        meaning: "edits.toml changes something that does not exist",
        help: "Correct the entry, or remove it. A `[[conversation]]` in edits.toml names a file or an \
               id that no conversation has, or a turn, a speaker or a text that the conversation does \
               not have. If the entry withholds a conversation or a turn, nothing is written, \
               because it may have been renamed and would be published. Otherwise this is a \
               warning.",
    },
    Code {
        name: "unmatched-filter",
        severity: Severity::Error,
        meaning: "a query or id matches no conversation",
        help: "Correct the query, or check whether the conversation is in the export. `convo-site \
               import EXPORT --filter QUERY` shows which conversations a query matches. It is a \
               query under `include` or `exclude` of a `[[source]]` in site.toml, a query or tag \
               in publish.toml, or an id in the file of `import --ids-from`. Often a word is \
               misspelt. A query must match a conversation as a whole: every word must occur \
               somewhere in it, and a word with `-` before it must not occur at all. An unmatched \
               `exclude` or an unmatched line of publish.toml is only a warning, because it may match \
               a later conversation; for `check --publish`, an unmatched `exclude` is an error. If a \
               word with `-` of `import --filter` occurs nowhere, nothing is imported.",
    },
    Code {
        name: "unmatched-listing",
        severity: Severity::Warning,
        meaning: "publish.toml lists a conversation that does not exist",
        help: "Correct the entry, or remove it. `publish = \"listed\"` in site.toml publishes only \
               what publish.toml lists. A `[[conversation]]` there names a file or an id that no \
               conversation has: it was moved, renamed or deleted. The others are published.",
    },
    Code {
        name: "unmatched-order",
        severity: Severity::Hint,
        meaning: "a file in the order of a collection is not in the collection",
        help: "Write paths relative to the folder of the `_index.md`, such as `first.md` or \
               `letters/second.md`; the extension is optional. The `order` of an `_index.md` lists \
               files in the order in which they appear. This one contains no conversation of the \
               collection: it was renamed, is in another folder, or is withheld. It is \
               ignored.",
    },
    Code {
        name: "unmatched-rule",
        severity: Severity::Error,
        meaning: "a `[[source]]`, or the `in` of a name, matches no file",
        help: "Correct `files`, such as `files = \"podcasts/**/*.md\"`, or remove the \
               `[[source]]`. Its pattern or folder matches no file in the content folder. If the \
               `[[source]]` has `visibility = \"private\"`, `include` or `exclude`, nothing is \
               written, because the files to withhold may have moved. Otherwise everything is \
               published without it.\n\n\
               The `in` of a name in `[people]` selects files in the same way. If the person has \
               `pseudonym = true`, nothing is written, because the real name would be published. \
               Otherwise, it is only a warning.",
    },
    Code {
        name: "unreadable",
        severity: Severity::Error,
        meaning: "a file or a folder cannot be read",
        help: "Check that it exists, that you can read it, and that no symbolic link leaves the \
               site folder. The message gives the reason. What depends on it is not published: the \
               conversations in it, or a page that shows it. Without site.toml, nothing is \
               written.",
    },
    Code {
        name: "untranslated",
        severity: Severity::Warning,
        meaning: "some texts of the site are not translated",
        help: "Add the missing texts, with the same section and key; the message names some of \
               them. A file in `locales/`, for a language that is not built in, lacks some texts. \
               The site is published with these texts in English.",
    },
    Code {
        name: "unused-accept",
        severity: Severity::Warning,
        meaning: "an entry of gate.toml matches nothing",
        help: "Delete the entry, so that it does not accept a later finding that nobody has seen. \
               The finding no longer exists: the conversation was changed, made private or \
               deleted.",
    },
    Code {
        name: "usage",
        severity: Severity::Error,
        meaning: "the command cannot be run with these arguments",
        help: "Change the arguments as the message says; `convo-site help build` lists the options \
               of `build`, and works for the other commands too. Nothing is written. For example, \
               the output folder of `-o` contains the sources of the site, `serve` cannot use the \
               address or the port, or `convert` would write several files and needs `-o FOLDER`.",
    },
    Code {
        name: "utf-16",
        severity: Severity::Warning,
        meaning: "the file is in UTF-16",
        help: "Save the file as UTF-8 to silence the warning. It was read as UTF-16 and is \
               published. If the page shows wrong characters, this guess was wrong.",
    },
    Code {
        name: "withheld-tools",
        severity: Severity::Hint,
        meaning: "input and output of some tools are withheld",
        help: "To publish them, name the server in site.toml, or in the `[[source]]` of the files: \
               `open_servers = [\"garden\"]`. Tool servers read mail, tickets, calendars, payments \
               and other data of several people, and convo-site cannot know what an unlisted \
               server returns. The calls and the names of the tools are published. An agent's \
               built-in tools are always shown, and so are those of servers that work only on \
               your machine or on public documents. A result without its call is never shown, \
               because it could come from any tool.",
    },
    Code {
        name: "wrong-type",
        severity: Severity::Error,
        meaning: "a value is of the wrong type",
        help: "Write a value of the type that the message names, such as `\"tags\": \
               [\"clocks\"]`. For example, there is a list where a string is expected, or \
               `\"private\": \"no\"` where `true` or `false` is expected. As an error, a convo \
               file is not published; in other files, the message or entry that cannot be read \
               is skipped. A value of `private` that is neither `true` nor `false` counts as \
               private, so nothing of it is published.\n\n\
               As a warning, only this value is ignored, and everything else is published. A \
               number is accepted where a string is expected.",
    },
    Code {
        name: "zone-offset",
        severity: Severity::Warning,
        meaning: "the UTC offset of a time does not match its time zone",
        help: "Correct the offset, or remove it. For example, \
               `2025-10-23T12:00:00-06:00[America/Chicago]` has an offset of six hours, but in \
               Chicago it was five on that day. The conversation is published, and the offset is \
               used as written.",
    },
];

/// Returns the row of the code with this name.
pub fn find(name: &str) -> Option<&'static Code> {
    let place = CODES.binary_search_by(|code| code.name.cmp(name)).ok()?;
    CODES.get(place)
}

/// Codes of diagnostics about text that is withheld. Build logs may be public, so these diagnostics
/// do not quote the source.
const WITHHELD: [&str; 6] = [
    "confidential", "held-back", "not-shown", "original-withheld", "turns-held-back",
    "withheld-tools",
];

/// Returns whether the diagnostics with this code are about text that is withheld.
pub fn is_about_withheld_text(code: &str) -> bool {
    WITHHELD.contains(&code)
}
