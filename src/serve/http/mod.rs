//! HTTP, for one person on one machine.
//!
//! Everything here assumes that the browser also has other pages open, and that one of them is
//! hostile: a page of another site can send requests to this server, and can give its own name
//! this machine's address. It must read nothing. What is served comes from the map of outputs;
//! no request opens a file.

mod range;

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, TcpListener};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http_body_util::{Either, Full};
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

/// Connections that are held; one more, and the oldest is closed.
const CONNECTIONS: usize = 400;
/// The time in which a request's head must arrive.
const HEAD: Duration = Duration::from_secs(5);
/// The longest head. Bytes.
const HEAD_BYTES: usize = 16 << 10;
const HEADERS: usize = 64;
/// Pages that are made at the same time.
const MAKERS: usize = 4;
/// Room for the recursion of libraries on deep input. Bytes.
const STACK: usize = 16 << 20;

/// Serves on a thread of its own from now on.
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
            // Out of descriptors, most likely; some are free again in a moment.
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
        async move { Ok::<_, Infallible>(answer(&request, here.ip(), shown).await) }
    });
    // Clients go away as they like.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(HEAD_BYTES)
        .max_headers(HEADERS)
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

type Answer = Response<Either<Full<Bytes>, Either<Events, Piece>>>;

async fn answer(request: &Request<Incoming>, here: IpAddr, shown: Arc<PreviewState>) -> Answer {
    if let Err((status, why)) = may_read(request, here) {
        return plain(status, why);
    }
    if request.uri().path() == EVENTS {
        let events = Events::of(&shown);
        return response(StatusCode::OK, "text/event-stream", Either::Right(Either::Left(events)));
    }
    let path = request.uri().path().to_owned();
    let query = request.uri().query().unwrap_or_default().to_owned();
    // Making a page takes a while.
    let made = tokio::task::spawn_blocking(move || reply::to(&shown, &path, &query)).await;
    match made {
        Ok(Reply::Page(status, media_type, body)) => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
            let bytes = Bytes::from_owner(body.bytes);
            response(status, media_type, Either::Left(Full::new(bytes)))
        }
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
        Err(_) => plain(StatusCode::INTERNAL_SERVER_ERROR, "a bug of convo-site\n"),
    }
}

/// Answers with the bytes of a file that are asked for: players ask for those that they play next.
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
        let told = format!("bytes {}-{}/{}", part.start, part.end - 1, file.len);
        set(&mut answer, header::CONTENT_RANGE, &told);
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
        // Whatever else it sends is not read.
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

/// Whether the request is the author's own: from a page of this server, or typed in.
fn may_read(request: &Request<Incoming>, here: IpAddr) -> Result<(), (StatusCode, &'static str)> {
    let headers = request.headers();
    let host = only(headers, "host").ok_or((StatusCode::BAD_REQUEST, "one Host, please\n"))?;
    let named = request.uri().authority().map(hyper::http::uri::Authority::as_str);
    if !is_ours(host, here) || named.is_some_and(|named| !is_ours(named, here)) {
        let why = "this preview answers to localhost and to the address of this machine only\n";
        return Err((StatusCode::FORBIDDEN, why));
    }
    let foreign = (StatusCode::FORBIDDEN, "another site may not read this preview\n");
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
    // A link on another page may lead here; nothing of that page can look inside.
    let is_link = says("sec-fetch-mode") == Some("navigate")
        && says("sec-fetch-dest").is_none_or(|dest| dest == "document");
    if is_foreign && !is_link {
        return Err(foreign);
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return Err((StatusCode::METHOD_NOT_ALLOWED, "GET and HEAD only\n"));
    }
    Ok(())
}

/// The value of a header that must not be there twice.
fn only<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Whether a name, with its port or without, can only mean this machine. A name that a stranger
/// can register may be given any address later, so only names that nobody can, and addresses.
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

/// A body that never ends: what there is to say of the last build, and of each one after it.
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
    fn only_names_that_nobody_can_register_are_ours() {
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
