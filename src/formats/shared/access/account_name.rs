//! The user name of an account in program output, such as file listings and shell prompts.

/// The replacement for the name.
const PLACEHOLDER: &str = "user";

/// Accounts that do not belong to a particular person.
const SHARED: [&str; 16] = [
    "root", "user", "ubuntu", "admin", "administrator", "debian", "ec2-user", "node", "app",
    "vscode", "codespace", "runner", "jovyan", "pi", "dev", "git",
];

/// The maximum number of bytes before a name that are examined to classify its line.
const MAX_LINE_BYTES: usize = 256;

/// Returns a text with the user name hidden where programs print it: `ada@laptop %`, `-rw-r--r-- 1
/// ada staff`, `Users/ada/src` without a leading slash.
pub(crate) fn hidden_in(text: &str, account: &str) -> Option<String> {
    if account.len() < 2 || SHARED.contains(&account.to_ascii_lowercase().as_str()) {
        return None;
    }
    let is_word = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    let mut out = String::new();
    let mut done = 0;
    for (at, _) in text.match_indices(account) {
        let end = at + account.len();
        let (before, behind) = (&text[..at], &text[end..]);
        if at < done || before.ends_with(is_word) || behind.starts_with(is_word) {
            continue;
        }
        let start = before.floor_char_boundary(at.saturating_sub(MAX_LINE_BYTES));
        let line = &before[start..];
        let line = line.rsplit('\n').next().unwrap_or_default();
        let is_host = behind.strip_prefix('@').is_some_and(|host| host.starts_with(is_word));
        let home = ["Users/", "home/"].iter().find(|home| {
            let above = line.strip_suffix(**home);
            above.is_some_and(|above| !above.ends_with(|c| is_word(c) || "/\\".contains(c)))
        });
        let from = match home {
            Some(home) if behind.starts_with('/') => at - home.len(),
            _ if is_host || is_ls_row(line) => at,
            _ => continue,
        };
        out.push_str(&text[done..from]);
        out.push_str(if from < at { "~" } else { PLACEHOLDER });
        done = end;
    }
    (done > 0).then(|| out + &text[done..])
}

/// Returns whether a line begins like the output of `ls -l`: `drwxr-xr-x@ 2 …`.
fn is_ls_row(line: &str) -> bool {
    let line = line.trim_start();
    let (mode, rest) = line.split_at_checked(10).unwrap_or_default();
    let is_mode = |(at, c): (usize, char)| match at {
        0 => "-dlbcps".contains(c),
        _ => "-rwxsStT".contains(c),
    };
    mode.len() == 10
        && mode.chars().enumerate().all(is_mode)
        && rest.trim_start_matches(['@', '+', '.']).starts_with([' ', '\t'])
}

#[cfg(test)]
mod tests {
    use super::hidden_in;

    #[test]
    fn an_account_in_program_output_is_hidden() {
        for (text, expected) in [
            ("drwxr-xr-x@ 2 ada  staff  64 x", "drwxr-xr-x@ 2 user  staff  64 x"),
            ("x\n-rw-rw-r-- 1 ada ada 5 ada", "x\n-rw-rw-r-- 1 user user 5 user"),
            ("ada@Adas-Air p % ls", "user@Adas-Air p % ls"),
            (" A Users/ada/p/x.md", " A ~/p/x.md"),
            ("(home/ada/p)", "(~/p)"),
        ] {
            assert_eq!(hidden_in(text, "ada").as_deref(), Some(expected));
        }
        for text in [
            "ada writes", "@ada@", "canada@host", "ada-x@host", "see example.org/home/ada/x",
            "drwx ada", "é ada",
        ] {
            assert_eq!(hidden_in(text, "ada"), None, "{text}");
        }
        assert_eq!(hidden_in("root@host", "root"), None);
    }
}
