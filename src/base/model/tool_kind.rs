//! What tools do, by their names.

/// What a tool does, according to its name. Agents use the same names for the same tools, so one
/// table serves all of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ToolKind {
    /// Reads a file.
    Read,
    /// Looks for files, or for text in files.
    Find,
    /// Writes or changes files.
    Edit,
    /// Runs a command in a shell.
    Command,
    /// Loads a page of the web.
    Fetch,
    /// Searches the web.
    Search,
    /// Changes a to-do list.
    Plan,
    /// Starts another agent.
    Agent,
    /// Anything else.
    Other,
}

/// The names of tools, in lower case and without punctuation.
const TOOLS: [(ToolKind, &[&str]); 8] = [
    (
        ToolKind::Command,
        &[
            "bash", "command", "containerexec", "exec", "execcommand", "execute", "executecommand",
            "localshell", "powershell", "runcommand", "runinterminal", "runshellcommand",
            "runterminalcmd", "runterminalcommand", "runterminalcommandv2", "shell",
            "shellcommand", "terminal", "usershell",
        ],
    ),
    (
        ToolKind::Read,
        &[
            "fileread", "fsread", "getfile", "notebookread", "openfile", "read", "readfile",
            "readfiles", "readfilev2", "readmanyfiles", "readnotebook", "readtextfile", "view",
            "viewfile", "viewimage",
        ],
    ),
    (
        ToolKind::Find,
        &[
            "codebasesearch", "codesearch", "filesearch", "find", "findbyname", "findfile",
            "findfiles", "glob", "globfilesearch", "grep", "greprepo", "grepsearch", "list",
            "listcodedefinitionnames", "listdir", "listdirectory", "listfiles", "ls", "ripgrep",
            "searchcode", "searchfilecontent", "searchfiles", "semanticsearch",
        ],
    ),
    (
        ToolKind::Edit,
        &[
            "applypatch", "create", "createfile", "createnewfile", "edit", "editfile",
            "editfilev2", "fswrite", "inserteditintofile", "multiedit", "multireplacefilecontent",
            "newfilecreated", "notebookedit", "reapply", "replace", "replacefilecontent",
            "replaceinfile", "replacestringinfile", "searchreplace", "singlefindandreplace",
            "strreplace", "strreplaceeditor", "write", "writefile", "writetofile",
        ],
    ),
    (
        ToolKind::Fetch,
        &["fetch", "fetchurl", "fetchwebpage", "openpage", "readurlcontent", "webfetch"],
    ),
    (ToolKind::Search, &["googlewebsearch", "searchweb", "websearch"]),
    (
        ToolKind::Plan,
        &[
            "managetodolist", "taskcreate", "taskupdate", "todoread", "todowrite", "updateplan",
            "updatetodolist", "writetodos",
        ],
    ),
    (
        ToolKind::Agent,
        &["agent", "invokesubagent", "newtask", "runsubagent", "spawnagent", "subagent", "task"],
    ),
];

impl ToolKind {
    /// Returns what a tool of this name does.
    pub fn of(name: &str) -> Self {
        let bare = name.chars().filter(char::is_ascii_alphanumeric);
        let bare = bare.collect::<String>().to_ascii_lowercase();
        let row = TOOLS.iter().find(|(_, names)| names.contains(&bare.as_str()));
        row.map_or(Self::Other, |(kind, _)| *kind)
    }

    /// Returns the name of the kind, for templates.
    pub fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Find => "find",
            Self::Edit => "edit",
            Self::Command => "command",
            Self::Fetch => "fetch",
            Self::Search => "search",
            Self::Plan => "plan",
            Self::Agent => "agent",
            Self::Other => "other",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ToolKind;

    #[test]
    fn names_of_many_agents_are_known() {
        for (kind, names) in [
            (
                ToolKind::Command,
                ["Bash", "run_shell_command", "exec_command", "runTerminalCommand"],
            ),
            (ToolKind::Read, ["Read", "read_file", "readFile", "view_file"]),
            (ToolKind::Find, ["Grep", "Glob", "list_dir", "search_file_content"]),
            (ToolKind::Edit, ["Edit", "apply_patch", "str_replace_editor", "write_to_file"]),
            (ToolKind::Other, ["mcp__garden__read", "Skill", "", "garden.bash.x"]),
        ] {
            for name in names {
                assert_eq!(ToolKind::of(name), kind, "{name}");
            }
        }
    }
}
