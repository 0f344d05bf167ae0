//! Configurations of Caddy and nginx for one site, with the same rules as `_headers` and `_redirects`.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::args::{DeployHost, GateArgs, InitArgs};
use crate::cli::{Failure, require_site};
use crate::config::{BaseUrl, Packing};
use crate::disk::{self, Destination, Disk};
use crate::files::SharedFiles;
use crate::outputs::{HTML, HeaderRule, MEDIA_TYPES, header_rules};
use crate::pipeline::{self, Choices};

/// The properties of a site that a server needs.
struct Served {
    address: BaseUrl,
    /// The output folder, as an absolute path.
    folder: String,
    rules: Vec<HeaderRule>,
    /// The compression formats of precompressed files.
    precompress: Vec<Packing>,
    /// Old URLs and their targets, as paths on the server.
    redirects: Vec<(String, String)>,
}

/// Returns the name and the text of the configuration of a server.
pub(super) fn file(host: DeployHost, args: &InitArgs) -> Result<(String, String), Failure> {
    let served = Served::of(args)?;
    Ok(match host {
        DeployHost::Caddy => ("Caddyfile".to_owned(), caddy(&served)),
        _ => ("nginx.conf".to_owned(), nginx(&served)),
    })
}

impl Served {
    /// Plans the site without writing it.
    fn of(args: &InitArgs) -> Result<Self, Failure> {
        require_site(&args.dir)?;
        let destination = Destination::new(&args.dir, args.output.clone());
        let out = destination.path();
        let files: SharedFiles = Arc::new(Disk::with_output(&args.dir, &out));
        let choices = GateArgs::default().choose(&args.address, Choices::default())?;
        let build = pipeline::run(&files, &choices, &disk::memo_of(&args.dir), &|_| {})?;
        let rows = match build.outputs.get("_redirects") {
            Some(output) => output.make()?,
            None => Vec::new(),
        };
        let rows = String::from_utf8_lossy(&rows).into_owned();
        let row = |row: &str| {
            let mut words = row.split_whitespace();
            Some((words.next()?.to_owned(), words.next()?.to_owned()))
        };
        Ok(Self {
            address: build.config.base_url.clone(),
            folder: absolute(out)?,
            rules: header_rules(&build.config),
            precompress: build.config.output.precompress.clone(),
            redirects: rows.lines().filter_map(row).collect(),
        })
    }

    /// Returns the host name, and the port if the URL has one.
    fn host(&self) -> (&str, Option<&str>) {
        let host = self.address.origin.split("://").nth(1).unwrap_or_default();
        host.split_once(':').map_or((host, None), |(name, port)| (name, Some(port)))
    }
}

/// Returns an output folder as an absolute path.
fn absolute(folder: PathBuf) -> Result<String, Failure> {
    let path = disk::resolve(&folder).to_string_lossy().replace('\\', "/");
    // Characters that end a quoted string or start a variable.
    match path.contains(['"', '$', '`', '{', '}']) || path.contains(char::is_control) {
        true => Err(Failure::Usage(format!(
            "the folder `{path}` cannot be used in a server configuration; use an output folder without \
             quotes, `$` and braces (`-o`)"
        ))),
        false => Ok(path),
    }
}

/// Returns the regular expression for a path pattern, without the base path.
fn expression(pattern: &str) -> String {
    let part = |part: &str| match part {
        "*" => ".*".to_owned(),
        part if part.starts_with(':') => "[^/]+".to_owned(),
        part => part.replace('.', "\\."),
    };
    pattern.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// The files that builds keep for themselves, which are not served.
const OWN_FILES: &str = ".convo-site*";

/// Media types outside `text/` to compress.
const PACKED: [&str; 3] = ["application/json", "application/xml", "image/svg+xml"];

fn caddy(served: &Served) -> String {
    let base = &served.address.path;
    let address = match served.address.origin.as_str() {
        "" => ":80",
        origin => origin,
    };
    let mut site = String::new();
    for (number, HeaderRule { pattern, headers }) in served.rules.iter().enumerate() {
        if pattern != "*" {
            let _ = writeln!(site, "@rule{number} path_regexp ^/{}$", expression(pattern));
        }
        for (name, value) in headers {
            let _ = match pattern.as_str() {
                "*" => writeln!(site, "header {name} \"{value}\""),
                _ => writeln!(site, "header @rule{number} {name} \"{value}\""),
            };
        }
    }
    // In this order, as the last match wins.
    let _ = writeln!(
        site,
        "header Content-Type application/octet-stream\n\
         @folder path / */\nheader @folder Content-Type \"{HTML}\""
    );
    for (number, (endings, media_type)) in MEDIA_TYPES.iter().enumerate() {
        let endings: Vec<String> = endings.iter().map(|ending| format!("*.{ending}")).collect();
        let _ = writeln!(site, "@type{number} path {}", endings.join(" "));
        let _ = writeln!(site, "header @type{number} Content-Type \"{media_type}\"");
    }
    let mut packings: Vec<&str> = Vec::new();
    for (packing, name) in [(Packing::Brotli, "br"), (Packing::Gzip, "gzip")] {
        packings.extend(served.precompress.contains(&packing).then_some(name));
    }
    let packed = match packings.is_empty() {
        true => String::new(),
        false => format!("\tprecompressed {}\n", packings.join(" ")),
    };
    let _ = writeln!(site, "file_server {{\n\thide {OWN_FILES} .git\n{packed}}}");
    let mut text = format!(
        "# Written by `convo-site init --deploy caddy` for this site. When redirects, downloads or the URL\n\
         # of the site change, generate it again: `--print` prints the new file. Old URLs also redirect\n\
         # without it, through small pages.\n\
         {address} {{\n\troot * \"{}\"\n\tencode zstd gzip {{\n\t\tmatch {{\n",
        served.folder
    );
    for kind in ["text/*"].iter().chain(&PACKED) {
        let end = if kind.ends_with('*') { "" } else { "*" };
        let _ = writeln!(text, "\t\t\theader Content-Type {kind}{end}");
    }
    text.push_str("\t\t}\n\t}\n");
    for (from, to) in &served.redirects {
        let from = from.trim_end_matches('/');
        let _ = writeln!(text, "\tredir \"{from}\" \"{to}\" permanent");
        let _ = writeln!(text, "\tredir \"{from}/\" \"{to}\" permanent");
    }
    let (open, close) = match base.as_str() {
        "/" => ("handle {".to_owned(), String::new()),
        base => (
            format!("handle_path {base}* {{"),
            format!("\tredir {} {base} permanent\n", base.trim_end_matches('/')),
        ),
    };
    let _ = writeln!(text, "\t{open}");
    text.push_str("\t\troute {\n");
    site.lines().for_each(|line| text.push_str(&format!("\t\t\t{line}\n")));
    let _ = write!(
        text,
        "\t\t}}\n\t}}\n{close}\thandle {{\n\t\terror 404\n\t}}\n\
         \thandle_errors {{\n\
         \t\t@missing expression {{err.status_code}} == 404\n\
         \t\thandle @missing {{\n\
         \t\t\trewrite * /404.html\n\
         \t\t\theader {{\n\t\t\t\t-Cache-Control\n\t\t\t\tContent-Type \"{HTML}\"\n\t\t\t}}\n\
         \t\t\tfile_server\n\t\t}}\n\t}}\n}}\n"
    );
    // Not needed if the site is at the root of the server.
    if base == "/" { text.replacen("\thandle {\n\t\terror 404\n\t}\n", "", 1) } else { text }
}

fn nginx(served: &Served) -> String {
    let base = &served.address.path;
    let (name, port) = served.host();
    // The values of each header, by path.
    let mut by_name: Vec<(&str, Vec<(String, &str)>)> = Vec::new();
    for HeaderRule { pattern, headers } in &served.rules {
        let start = crate::text::percent_decode(base).replace('.', "\\.");
        let pattern = format!("~^{start}{}$", expression(pattern));
        for (header, value) in headers {
            let row = (pattern.clone(), *value);
            match by_name.iter_mut().find(|(name, _)| name == header) {
                Some((_, rows)) => rows.push(row),
                None => by_name.push((*header, vec![row])),
            }
        }
    }
    let variable =
        |header: &str| format!("$convo_{}", header.to_ascii_lowercase().replace('-', "_"));
    let mut text = String::from(
        "# Written by `convo-site init --deploy nginx` for this site; include it in the `http` block.\n\
         # When redirects, downloads or the URL of the site change, generate it again: `--print` prints\n\
         # the new file. Old URLs also redirect without it, through small pages.\n",
    );
    for (header, rows) in &by_name {
        let _ = writeln!(text, "map $uri {} {{\n\tdefault \"\";", variable(header));
        for (pattern, value) in rows {
            let _ = writeln!(text, "\t\"{}\" \"{value}\";", pattern.replace('\\', "\\\\"));
        }
        text.push_str("}\n");
    }
    let port = port.unwrap_or("80");
    let name = if name.is_empty() { "_" } else { name };
    let _ = write!(
        text,
        "server {{\n\tlisten {port};\n\tlisten [::]:{port};\n\tserver_name {name};\n\
         \tabsolute_redirect off;\n\tcharset utf-8;\n"
    );
    let bare = |media_type: &'static str| media_type.split(';').next().unwrap_or_default();
    // nginx always includes text/html here and in gzip_types.
    let with_charset = MEDIA_TYPES.iter().filter(|(_, name)| name.contains("charset"));
    let with_charset: Vec<&str> = with_charset.map(|(_, name)| bare(name)).skip(1).collect();
    let _ = writeln!(text, "\tcharset_types {};", with_charset.join(" "));
    text.push_str("\ttypes {\n");
    for (endings, media_type) in MEDIA_TYPES {
        let _ = writeln!(text, "\t\t{} {};", bare(media_type), endings.join(" "));
    }
    let packed: Vec<&str> = with_charset.into_iter().chain(PACKED).collect();
    let packed = packed.join(" ");
    let _ = write!(
        text,
        "\t}}\n\tdefault_type application/octet-stream;\n\
         \tgzip on;\n\tgzip_vary on;\n\tgzip_min_length 512;\n\tgzip_types {packed};\n\
         \t# With the module ngx_brotli (libnginx-mod-http-brotli-filter):\n\
         \t#brotli on;\n\t#brotli_types {packed};\n"
    );
    if served.precompress.contains(&Packing::Gzip) {
        text.push_str("\tgzip_static on;\n");
    }
    if served.precompress.contains(&Packing::Brotli) {
        text.push_str(
            "\t# With the same (libnginx-mod-http-brotli-static):\n\t#brotli_static on;\n",
        );
    }
    for (header, _) in &by_name {
        let _ = writeln!(text, "\tadd_header {header} {} always;", variable(header));
    }
    let _ = writeln!(text, "\terror_page 404 {base}404.html;");
    for (from, to) in &served.redirects {
        let from = crate::text::percent_decode(from.trim_end_matches('/'));
        let from = from.replace('\\', "\\\\").replace('"', "\\\"");
        let to = to.replace('$', "%24");
        let _ = writeln!(text, "\tlocation = \"{from}\" {{ return 301 \"{to}\"; }}");
        let _ = writeln!(text, "\tlocation = \"{from}/\" {{ return 301 \"{to}\"; }}");
    }
    // Files of builds are not served; other files with a leading dot, such as .well-known, are.
    let _ = writeln!(text, "\tlocation ^~ {base}.convo-site {{ return 404; }}");
    match base.as_str() {
        "/" => {
            let _ = write!(text, "\troot \"{}\";\n}}\n", served.folder);
        }
        base => {
            let _ = write!(
                text,
                "\tlocation = {} {{ return 301 {base}; }}\n\
                 \tlocation {base} {{\n\t\talias \"{}/\";\n\t}}\n\
                 \tlocation / {{ return 404; }}\n}}\n",
                base.trim_end_matches('/'),
                served.folder
            );
        }
    }
    text
}
