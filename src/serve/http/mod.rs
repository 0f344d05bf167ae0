//! The HTTP server of the preview, for one person on one computer.
//!
//! It assumes that the browser also has a hostile page open, which can send requests to this server, and can point
//! its own host name to this computer. Such a page must not read or change anything. Responses come from the map of
//! outputs; no request opens a file by its path.

mod range;

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, TcpListener};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http_body_util::{BodyExt as _, Either, Full, Limited};
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{HeaderMap, Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::AbortHandle;

use self::range::{Piece, range};
use super::preview_state::PreviewState;
use super::reply::{self, EVENTS, Reply};
use crate::outputs::LargeFile;

/// The maximum number of connections; for another one, the oldest is closed.
const CONNECTIONS: usize = 400;
/// The timeout for the header of a request.
const HEAD: Duration = Duration::from_secs(5);
/// The maximum size of a header, in bytes.
const HEAD_BYTES: usize = 16 << 10;
const HEADERS: usize = 64;
/// The timeout for the body of a change, and its maximum size in bytes.
const BODY: Duration = Duration::from_secs(5);
const BODY_BYTES: usize = 64 << 10;
/// The header with the secret of the preview.
const TOKEN: &str = "x-convo-site-token";
/// The maximum number of pages rendered at the same time.
const MAKERS: usize = 4;
/// The stack size in bytes; libraries recurse deeply on deeply nested input.
const STACK: usize = 16 << 20;

/// Starts serving on its own thread.
pub(super) fn start(listener: TcpListener, shown: Arc<PreviewState>) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(MAKERS)
        .thread_stack_size(STACK)
        .build()?;
    std::thread::Builder::new()
        .name("http".to_owned())
        .spawn(move || runtime.block_on(accept(listener, shown)))?;
    Ok(())
}

async fn accept(listener: TcpListener, shown: Arc<PreviewState>) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let mut open: VecDeque<AbortHandle> = VecDeque::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Probably out of file descriptors; wait until some are free.
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        open.retain(|connection| !connection.is_finished());
        if open.len() >= CONNECTIONS
            && let Some(oldest) = open.pop_front()
        {
            oldest.abort();
        }
        open.push_back(tokio::spawn(connection(stream, shown.clone())).abort_handle());
    }
}

async fn connection(stream: TcpStream, shown: Arc<PreviewState>) {
    let Ok(here) = stream.local_addr() else { return };
    let _ = stream.set_nodelay(true);
    let service = service_fn(|request| {
        let shown = shown.clone();
        async move { Ok::<_, Infallible>(answer(request, here.ip(), shown).await) }
    });
    // Errors are normal, as clients disconnect at any time.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(HEAD_BYTES)
        .max_headers(HEADERS)
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

type Answer = Response<Either<Full<Bytes>, Either<Events, Piece>>>;

async fn answer(request: Request<Incoming>, here: IpAddr, shown: Arc<PreviewState>) -> Answer {
    if let Err((status, why)) = is_from_here(&request, here) {
        return plain(status, why);
    }
    if request.method() == Method::POST {
        return changed(request, shown).await;
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return plain(StatusCode::METHOD_NOT_ALLOWED, "GET and HEAD only\n");
    }
    if request.uri().path() == EVENTS {
        let events = Events::of(&shown);
        return response(StatusCode::OK, "text/event-stream", Either::Right(Either::Left(events)));
    }
    let path = request.uri().path().to_owned();
    let query = request.uri().query().unwrap_or_default().to_owned();
    // Rendering a page may take a while.
    let made = tokio::task::spawn_blocking(move || reply::to(&shown, &path, &query)).await;
    match made {
        Ok(Reply::Page(status, media_type, body)) => page(status, media_type, body),
        Ok(Reply::Large(media_type, large)) => {
            let is_asked = *request.method() == Method::GET;
            let wanted = only(request.headers(), "range").filter(|_| is_asked);
            piece(media_type, &large, wanted)
        }
        Ok(Reply::Redirect(path)) => {
            let mut answer = plain(StatusCode::FOUND, "");
            match HeaderValue::from_str(&path) {
                Ok(path) => {
                    answer.headers_mut().insert(header::LOCATION, path);
                    answer
                }
                Err(_) => plain(StatusCode::NOT_FOUND, "not found\n"),
            }
        }
        Err(_) => plain(StatusCode::INTERNAL_SERVER_ERROR, "this is a bug in convo-site\n"),
    }
}

fn page(status: u16, media_type: &'static str, body: reply::Body) -> Answer {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    response(status, media_type, Either::Left(Full::new(Bytes::from_owner(body.bytes))))
}

/// Responds with the requested bytes of a file; players request the part that they play next.
fn piece(media_type: &'static str, file: &LargeFile, wanted: Option<&str>) -> Answer {
    let part = wanted.and_then(|wanted| range(wanted, file.len));
    let (status, part) = match part {
        Some(None) => {
            let mut answer = plain(StatusCode::RANGE_NOT_SATISFIABLE, "");
            set(&mut answer, header::CONTENT_RANGE, &format!("bytes */{}", file.len));
            return answer;
        }
        Some(Some(part)) => (StatusCode::PARTIAL_CONTENT, part),
        None => (StatusCode::OK, 0..file.len),
    };
    let Ok(reader) = file.open(part.start) else {
        return plain(StatusCode::NOT_FOUND, "not found\n");
    };
    let body = Piece::new(reader, part.end - part.start);
    let mut answer = response(status, media_type, Either::Right(Either::Right(body)));
    set(&mut answer, header::ACCEPT_RANGES, "bytes");
    if status == StatusCode::PARTIAL_CONTENT {
        let content_range = format!("bytes {}-{}/{}", part.start, part.end - 1, file.len);
        set(&mut answer, header::CONTENT_RANGE, &content_range);
    }
    answer
}

fn set(answer: &mut Answer, name: header::HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        answer.headers_mut().insert(name, value);
    }
}

fn plain(status: StatusCode, text: &'static str) -> Answer {
    let body = Either::Left(Full::new(Bytes::from_static(text.as_bytes())));
    let mut answer = response(status, "text/plain; charset=utf-8", body);
    if status == StatusCode::METHOD_NOT_ALLOWED {
        answer.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    }
    if status.is_client_error() && status != StatusCode::NOT_FOUND {
        // The rest of the request is not read.
        answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    answer
}

fn response(
    status: StatusCode,
    media_type: &'static str,
    body: Either<Full<Bytes>, Either<Events, Piece>>,
) -> Answer {
    let mut answer = Response::new(body);
    *answer.status_mut() = status;
    let fields = [
        ("content-type", media_type),
        ("cache-control", "no-store"),
        ("cross-origin-resource-policy", "same-origin"),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
    ];
    for (name, value) in fields {
        answer.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    answer
}

/// Checks that a request comes from a page of this server, or from the address bar.
fn is_from_here(
    request: &Request<Incoming>,
    here: IpAddr,
) -> Result<(), (StatusCode, &'static str)> {
    let headers = request.headers();
    let host =
        only(headers, "host").ok_or((StatusCode::BAD_REQUEST, "expected one Host header\n"))?;
    let named = request.uri().authority().map(hyper::http::uri::Authority::as_str);
    if !is_ours(host, here) || named.is_some_and(|named| !is_ours(named, here)) {
        let why =
            "the preview only accepts requests for localhost or the IP address of this computer\n";
        return Err((StatusCode::FORBIDDEN, why));
    }
    let foreign = (StatusCode::FORBIDDEN, "other sites cannot read this preview\n");
    if headers.contains_key("origin") {
        let origin = only(headers, "origin").ok_or(foreign)?;
        let same =
            origin.strip_prefix("http://").is_some_and(|origin| origin.eq_ignore_ascii_case(host));
        if !same {
            return Err(foreign);
        }
    }
    let says = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let is_foreign =
        says("sec-fetch-site").is_some_and(|site| !matches!(site, "same-origin" | "none"));
    // Links from other sites are allowed, as the other page cannot read the response.
    let is_link = says("sec-fetch-mode") == Some("navigate")
        && says("sec-fetch-dest").is_none_or(|dest| dest == "document");
    if is_foreign && !is_link {
        return Err(foreign);
    }
    Ok(())
}

/// Makes a change by the author, if the request comes from a page of this preview.
async fn changed(request: Request<Incoming>, shown: Arc<PreviewState>) -> Answer {
    if let Err((status, why)) = may_change(&request, &shown) {
        return plain(status, why);
    }
    let body = Limited::new(request.into_body(), BODY_BYTES).collect();
    let Ok(Ok(body)) = tokio::time::timeout(BODY, body).await else {
        return plain(StatusCode::BAD_REQUEST, "expected a short JSON text\n");
    };
    let body = body.to_bytes();
    let made = tokio::task::spawn_blocking(move || reply::to_change(&shown, &body)).await;
    match made {
        Ok(Reply::Page(status, media_type, body)) => page(status, media_type, body),
        _ => plain(StatusCode::INTERNAL_SERVER_ERROR, "this is a bug in convo-site\n"),
    }
}

/// Checks that a request that changes something was made by a script of this preview.
fn may_change(
    request: &Request<Incoming>,
    shown: &PreviewState,
) -> Result<(), (StatusCode, &'static str)> {
    let headers = request.headers();
    let Some(author) = shown.author.as_ref().filter(|_| request.uri().path() == reply::EDIT) else {
        return Err((StatusCode::METHOD_NOT_ALLOWED, "GET and HEAD only\n"));
    };
    let is_script = headers.contains_key("origin")
        && only(headers, "content-type") == Some("application/json")
        && (!headers.contains_key("sec-fetch-site")
            || only(headers, "sec-fetch-site") == Some("same-origin"));
    let is_known = only(headers, TOKEN) == Some(author.token.as_str());
    let foreign = (StatusCode::FORBIDDEN, "only pages of this preview can change the site\n");
    if is_script && is_known { Ok(()) } else { Err(foreign) }
}

/// Returns the value of a header that must occur once.
fn only<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Returns whether a host, with or without a port, can only be this computer: an IP address, or a name that cannot be
/// registered. A registered name could be pointed to any IP address later.
fn is_ours(host: &str, here: IpAddr) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => (name, port),
        _ => (host, "0"),
    };
    if port.parse::<u16>().is_err() {
        return false;
    }
    let name = name.to_ascii_lowercase();
    if name == "localhost" || name.ends_with(".localhost") {
        return true;
    }
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    let address = match address {
        Some(six) => six.parse().map(IpAddr::V6),
        None => name.parse().map(IpAddr::V4),
    };
    address.is_ok_and(|address: IpAddr| address.is_loopback() || address == here)
}

type Receiver = watch::Receiver<Arc<str>>;
type Next = Pin<Box<dyn Future<Output = Option<Receiver>> + Send>>;

/// An endless body with an event for the last build and for each later one.
struct Events {
    next: Next,
}

impl Events {
    fn of(shown: &PreviewState) -> Self {
        let receiver = shown.listen();
        Self { next: Box::pin(async { Some(receiver) }) }
    }
}

impl Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let Poll::Ready(receiver) = self.next.as_mut().poll(context) else {
            return Poll::Pending;
        };
        let Some(mut receiver) = receiver else { return Poll::Ready(None) };
        let message = receiver.borrow_and_update().clone();
        self.next = Box::pin(async move {
            receiver.changed().await.ok()?;
            Some(receiver)
        });
        let event = format!("data: {message}\n\n");
        Poll::Ready(Some(Ok(Frame::data(Bytes::from(event)))))
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::is_ours;

    #[test]
    fn only_unregistrable_host_names_are_ours() {
        let here: IpAddr = "192.168.1.5".parse().unwrap();
        for host in [
            "localhost", "localhost:3000", "LOCALHOST:3000", "talks.localhost:3000", "127.0.0.1",
            "127.0.0.1:3000", "127.1.2.3:80", "[::1]", "[::1]:3000", "192.168.1.5:3000",
        ] {
            assert!(is_ours(host, here), "{host}");
        }
        for host in [
            "", ":3000", "evil.example", "evil.example:3000", "localhost.evil.example",
            "127.0.0.1.nip.io", "127.0.0.1.evil.example:3000", "evil-localhost", "localhost.",
            "192.168.1.6:3000", "10.0.0.1", "[fe80::1]", "2130706433", "0x7f.1", "127.1",
            "0.0.0.0", "localhost:99999", "localhost:x", "a@localhost", "localhost/", "[::1",
            "::1", "[::ffff:10.0.0.1]", "localhost:3000:3000", " localhost",
        ] {
            assert!(!is_ours(host, here), "{host}");
        }
    }
}
