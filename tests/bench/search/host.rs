//! A server that works like static hosts, and counts requests.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use std::{fs, thread};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::QUIET;

/// A file server that runs as long as the program.
pub(crate) struct Server {
    pub(crate) port: u16,
    pub(crate) traffic: Arc<Traffic>,
}

impl Server {
    pub(crate) fn start(root: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let traffic = Arc::new(Traffic(Mutex::new(Counts::default())));
        let (root, counted) = (root.to_owned(), traffic.clone());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (root, traffic) = (root.clone(), counted.clone());
                // A browser may close the connection at any time.
                thread::spawn(move || serve(&stream, &root, &traffic));
            }
        });
        Self { port, traffic }
    }
}

/// Answers the requests of one connection.
pub(crate) fn serve(mut stream: &TcpStream, root: &Path, traffic: &Traffic) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    while let Some(path) = requested(&mut reader) {
        traffic.begin();
        let (head, body) = answer(root, &path);
        let result = stream.write_all(&[head.as_bytes(), &body].concat());
        traffic.end(&path, body.len());
        result?;
    }
    Ok(())
}

/// The path that the next request asks for.
pub(crate) fn requested(reader: &mut impl BufRead) -> Option<String> {
    let mut lines = reader.lines().map_while(Result::ok);
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    lines.find(String::is_empty)?;
    let path = path.split('?').next().unwrap_or_default();
    Some(convo_site::text::percent_decode(path))
}

/// The header and the body of a response, as from static hosts.
pub(crate) fn answer(root: &Path, path: &str) -> (String, Vec<u8>) {
    let index = if path.ends_with('/') { "index.html" } else { "" };
    let file = root.join(format!("{}{index}", path.trim_start_matches('/')));
    let (status, bytes) = match fs::read(&file) {
        Ok(bytes) => ("200 OK", bytes),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let ending = file.extension().unwrap_or_default().to_string_lossy();
    let (kind, is_zipped) = match &*ending {
        "html" => ("text/html; charset=utf-8", true),
        "js" => ("text/javascript", true),
        "css" => ("text/css", true),
        "json" => ("application/json", true),
        "md" => ("text/markdown; charset=utf-8", true),
        "xml" => ("application/xml", true),
        "txt" => ("text/plain; charset=utf-8", true),
        "svg" => ("image/svg+xml", true),
        "wasm" => ("application/wasm", false),
        _ => ("application/octet-stream", false),
    };
    let body = if is_zipped { zipped(&bytes) } else { bytes };
    let encoding = if is_zipped { "Content-Encoding: gzip\r\n" } else { "" };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{encoding}Content-Length: {}\r\n\
         Cache-Control: max-age=600\r\n\r\n",
        body.len()
    );
    (head, body)
}

pub(crate) fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory takes all bytes");
    encoder.finish().expect("memory takes all bytes")
}

/// The responses of a server.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sent {
    pub(crate) requests: usize,
    pub(crate) bytes: usize,
}

#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) sent: Sent,
    /// The number of open requests.
    pub(crate) running: usize,
    pub(crate) last: Option<Instant>,
}

pub(crate) struct Traffic(pub(crate) Mutex<Counts>);

impl Traffic {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn begin(&self) {
        self.lock().running += 1;
    }

    pub(crate) fn end(&self, path: &str, bytes: usize) {
        let mut counts = self.lock();
        counts.running -= 1;
        counts.last = Some(Instant::now());
        let is_page = path.ends_with('/')
            || [".html", ".css", ".svg", ".ico"].iter().any(|end| path.ends_with(end));
        if !is_page {
            counts.sent.requests += 1;
            counts.sent.bytes += bytes;
        }
    }

    pub(crate) fn is_quiet(&self) -> bool {
        let counts = self.lock();
        counts.running == 0 && counts.last.is_none_or(|last| last.elapsed() > QUIET)
    }

    /// Resets the counts, and returns the previous ones.
    pub(crate) fn restart(&self) -> Sent {
        let mut counts = self.lock();
        counts.last = Some(Instant::now());
        std::mem::take(&mut counts.sent)
    }
}
