//! The same content in general site generators, if they are installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::{Cost, cost};

/// Other programs, ready to run.
pub(crate) struct Peers {
    hugo: Option<PathBuf>,
    zola: Option<PathBuf>,
    /// The command that runs Pagefind, if there is one.
    pagefind: Option<Vec<String>>,
}

impl Peers {
    /// Turns the conversations of the site in `from` into pages for each program.
    pub(crate) fn new(from: &Path, scratch: &Path) -> Self {
        let hugo = runs(&["hugo", "version"]).then(|| site(from, &scratch.join("hugo"), true));
        let zola = runs(&["zola", "--version"]).then(|| site(from, &scratch.join("zola"), false));
        let pagefind = [vec!["pagefind"], vec!["python3", "-m", "pagefind"]];
        let pagefind =
            pagefind.into_iter().find(|command| runs(&[&command[..], &["--version"]].concat()));
        let pagefind = pagefind.map(|command| command.into_iter().map(str::to_owned).collect());
        Self { hugo, zola, pagefind }
    }

    /// The measured steps, in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> + use<> {
        let both = self.hugo.is_some() && self.pagefind.is_some();
        let names = [
            (self.hugo.is_some(), "Hugo"),
            (both, "Pagefind after Hugo"),
            (both, "Hugo and Pagefind"),
            (self.zola.is_some(), "Zola"),
        ];
        names.into_iter().filter(|(is_there, _)| *is_there).map(|(_, name)| name.to_owned())
    }

    pub(crate) fn run(&mut self) -> Vec<Cost> {
        let mut costs = Vec::new();
        if let Some(site) = &self.hugo {
            let public = site.join("public");
            let _ = fs::remove_dir_all(&public);
            let hugo = cost(Command::new("hugo").arg("-s").arg(site), &public);
            costs.push(hugo);
            if let Some(command) = &self.pagefind {
                let mut run = Command::new(&command[0]);
                run.args(&command[1..]).arg("--site").arg(&public);
                let pagefind = cost(&mut run, &public.join("pagefind"));
                costs.push(pagefind);
                costs.push(Cost {
                    wall: hugo.wall + pagefind.wall,
                    processor: hugo.processor + pagefind.processor,
                    memory: hugo.memory.max(pagefind.memory),
                    output: hugo.output + pagefind.output,
                });
            }
            let _ = fs::remove_dir_all(&public);
        }
        if let Some(site) = &self.zola {
            let public = site.join("public");
            let _ = fs::remove_dir_all(&public);
            costs.push(cost(Command::new("zola").arg("--root").arg(site).arg("build"), &public));
            let _ = fs::remove_dir_all(&public);
        }
        costs
    }
}

fn runs(command: &[&str]) -> bool {
    let run = Command::new(command[0])
        .args(&command[1..])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    run.is_ok_and(|status| status.success())
}

/// A site with the same pages and listings as ours: a page for each conversation with its
/// neighbours, listings of 50, listings by speaker, a feed and a sitemap.
fn site(from: &Path, to: &Path, hugo: bool) -> PathBuf {
    let content = from.join("content");
    for file in super::files_below(&content) {
        let text = fs::read_to_string(&file).expect("text");
        let Some((body, metadata)) = text.rsplit_once("\n\n----\n") else { continue };
        let metadata: Value = serde_json::from_str(metadata).expect("JSON");
        let names = metadata["participants"].as_array().into_iter().flatten();
        let names: Vec<&Value> = names.map(|who| who.get("name").unwrap_or(who)).collect();
        let speakers = serde_json::to_string(&names).expect("JSON");
        let day = metadata["time"].as_str().and_then(|time| time.get(..10)).unwrap_or("2000-01-01");
        let speakers = match hugo {
            true => format!("speakers = {speakers}"),
            false => format!("[taxonomies]\nspeakers = {speakers}"),
        };
        let page = format!(
            "+++\ntitle = {}\ndate = {day}\n{speakers}\n+++\n\n{body}\n",
            metadata["title"]
        );
        let name = file.strip_prefix(&content).expect("below").with_extension("md");
        let path = to.join("content").join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        fs::write(path, page).expect("written");
    }
    let files: &[(&str, &str)] = if hugo { &HUGO } else { &ZOLA };
    for (name, text) in files {
        let path = to.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        fs::write(path, text).expect("written");
    }
    to.to_owned()
}

const HUGO: [(&str, &str); 4] = [
    (
        "hugo.toml",
        "baseURL = \"https://example.org/\"\ntitle = \"Benchmark\"\n[taxonomies]\nspeaker = \"speakers\"\n\
         [pagination]\npagerSize = 50\n[markup.highlight]\nnoClasses = false\n",
    ),
    (
        "layouts/_default/baseof.html",
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{{ .Title }}</title>\
         <link rel=\"canonical\" href=\"{{ .Permalink }}\"></head><body><header><a href=\"/\">{{ site.Title }}</a>\
         </header><main>{{ block \"main\" . }}{{ end }}</main></body></html>\n",
    ),
    (
        "layouts/_default/single.html",
        "{{ define \"main\" }}<article><h1>{{ .Title }}</h1><time>{{ .Date.Format \"2006-01-02\" }}</time>\
         {{ range .GetTerms \"speakers\" }}<a href=\"{{ .RelPermalink }}\">{{ .LinkTitle }}</a>{{ end }}\
         {{ .Content }}{{ with .NextInSection }}<a href=\"{{ .RelPermalink }}\">{{ .Title }}</a>{{ end }}\
         {{ with .PrevInSection }}<a href=\"{{ .RelPermalink }}\">{{ .Title }}</a>{{ end }}</article>{{ end }}\n",
    ),
    (
        "layouts/_default/list.html",
        "{{ define \"main\" }}<h1>{{ .Title }}</h1><ul>{{ range (.Paginate .RegularPagesRecursive).Pages }}\
         <li><a href=\"{{ .RelPermalink }}\">{{ .Title }}</a> {{ .Date.Format \"2006-01-02\" }}</li>{{ end }}</ul>{{ end }}\n",
    ),
];

const ZOLA: [(&str, &str); 6] = [
    (
        "config.toml",
        "base_url = \"https://example.org\"\ntitle = \"Benchmark\"\ngenerate_feeds = true\n\
         taxonomies = [{ name = \"speakers\", paginate_by = 50 }]\n[markdown]\nhighlight_code = true\n",
    ),
    ("content/_index.md", "+++\npaginate_by = 50\nsort_by = \"date\"\n+++\n"),
    (
        "templates/index.html",
        "<h1>{{ section.title }}</h1>{% for page in paginator.pages %}<a href=\"{{ page.permalink }}\">{{ page.title }}</a>{% endfor %}\n",
    ),
    (
        "templates/page.html",
        "<!doctype html><title>{{ page.title }}</title><h1>{{ page.title }}</h1>{{ page.content | safe }}\n",
    ),
    (
        "templates/speakers/list.html",
        "{% for term in terms %}<a href=\"{{ term.permalink }}\">{{ term.name }}</a>{% endfor %}\n",
    ),
    (
        "templates/speakers/single.html",
        "<h1>{{ term.name }}</h1>{% for page in paginator.pages %}<a href=\"{{ page.permalink }}\">{{ page.title }}</a>{% endfor %}\n",
    ),
];
