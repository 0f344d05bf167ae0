//! A simulated search engine: it stores documents like OpenSearch, answers the requests of
//! convo-site, and fails on request.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// A received request.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// Its number, from 0.
    pub(crate) number: usize,
    pub(crate) method: String,
    /// The path without the query.
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: String,
}

impl Request {
    /// The documents of a bulk request, without their actions.
    pub(crate) fn documents(&self) -> Vec<Value> {
        let lines = self.body.lines().skip(1).step_by(2);
        lines.map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }
}

/// A failure of a request.
pub(crate) enum Fault {
    /// Responds with this status and these headers, and does nothing.
    Status(u16, &'static str),
    /// The cluster is full and accepts no new documents.
    Blocked,
    /// Processes the request, and closes the connection before the response.
    CutAfter,
    /// Closes the connection before the request is processed.
    CutBefore,
    /// Rejects these documents of a bulk request, by their positions, with a status.
    Items(u16, fn(usize) -> bool),
    /// Processes the request after this delay. Milliseconds.
    Slow(u64),
    /// Responds with this status and more bytes than convo-site reads.
    Endless(u16),
    /// Responds byte by byte without end. Counts the clients that stop waiting.
    Drip(Arc<AtomicUsize>),
}

/// The status of rejected documents, and which positions of a bulk request are rejected.
type Refusal = (u16, fn(usize) -> bool);

/// Chooses the failure of each request.
type Plan = Box<dyn FnMut(&Request) -> Option<Fault> + Send>;

/// An index: the body of the request that created it, and its documents by id.
#[derive(Default)]
pub(crate) struct Index {
    pub(crate) about: Value,
    pub(crate) documents: BTreeMap<String, Value>,
    pub(crate) aliases: Vec<String>,
}

#[derive(Default)]
struct State {
    indices: BTreeMap<String, Index>,
    requests: Vec<Request>,
    plan: Option<Plan>,
}

/// The engine, which stops with the test.
#[derive(Clone)]
pub(crate) struct Engine {
    pub(crate) address: String,
    state: Arc<Mutex<State>>,
}

impl Engine {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let engine = Self { address, state: Arc::default() };
        let served = engine.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let engine = served.clone();
                std::thread::spawn(move || engine.serve(stream));
            }
        });
        engine
    }

    /// Lets `plan` choose the failures from now on.
    pub(crate) fn fail(&self, plan: impl FnMut(&Request) -> Option<Fault> + Send + 'static) {
        self.state.lock().expect("a lock").plan = Some(Box::new(plan));
    }

    /// The requests since the last call.
    pub(crate) fn requests(&self) -> Vec<Request> {
        std::mem::take(&mut self.state.lock().expect("a lock").requests)
    }

    /// Reads or changes the indices.
    pub(crate) fn with<R>(&self, look: impl FnOnce(&mut BTreeMap<String, Index>) -> R) -> R {
        look(&mut self.state.lock().expect("a lock").indices)
    }

    fn serve(&self, mut stream: TcpStream) {
        let Some(mut request) = read(&mut stream) else { return };
        let mut state = self.state.lock().expect("a lock");
        request.number = state.requests.len();
        state.requests.push(request.clone());
        let fault = state.plan.as_mut().and_then(|plan| plan(&request));
        let mut refused: Option<Refusal> = None;
        match &fault {
            Some(Fault::Status(status, headers)) => {
                drop(state);
                let error = json!({"error": {"type": "simulated", "reason": "as requested"}});
                return answer(&mut stream, *status, headers, &error);
            }
            Some(Fault::Blocked) => {
                drop(state);
                let reason = "blocked by: [FORBIDDEN/10/cluster create-index blocked];";
                let error = json!({"error": {"type": "block", "reason": reason}});
                return answer(&mut stream, 403, "", &error);
            }
            Some(Fault::CutBefore) => return,
            Some(Fault::Endless(status)) => {
                drop(state);
                let head = format!("HTTP/1.1 {status} Told\r\nConnection: close\r\n\r\n");
                let _ = stream.write_all(head.as_bytes());
                let spaces = vec![b' '; 1 << 20];
                while stream.write_all(&spaces).is_ok() {}
                return;
            }
            Some(Fault::Drip(gone)) => {
                drop(state);
                let head = "HTTP/1.1 200 Told\r\nContent-Length: 1000000\r\n\r\n";
                let _ = stream.write_all(head.as_bytes());
                while stream.write_all(b" ").is_ok() {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                }
                gone.fetch_add(1, Ordering::SeqCst);
                return;
            }
            Some(Fault::Items(status, which)) => refused = Some((*status, *which)),
            _ => {}
        }
        let (status, body) = respond(&mut state.indices, &request, refused);
        drop(state);
        match fault {
            Some(Fault::CutAfter) => return,
            Some(Fault::Slow(millis)) => {
                std::thread::sleep(std::time::Duration::from_millis(millis));
            }
            _ => {}
        }
        answer(&mut stream, status, "", &body);
    }
}

fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace();
    let method = words.next()?.to_owned();
    let target = words.next()?.to_owned();
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let len = headers.get("content-length").map_or(0, |len| len.parse().expect("a length"));
    let mut body = vec![0; len];
    reader.read_exact(&mut body).ok()?;
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    Some(Request {
        number: 0,
        method,
        path: path.to_owned(),
        query: query.to_owned(),
        headers,
        body: String::from_utf8(body).expect("UTF-8"),
    })
}

fn answer(stream: &mut TcpStream, status: u16, headers: &str, body: &Value) {
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {status} Told\r\nContent-Type: application/json\r\nConnection: close\r\n\
         {headers}Content-Length: {}\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(format!("{head}{body}").as_bytes());
}

/// Processes a request.
fn respond(
    indices: &mut BTreeMap<String, Index>,
    request: &Request,
    refused: Option<Refusal>,
) -> (u16, Value) {
    let body: Value = serde_json::from_str(&request.body).unwrap_or(Value::Null);
    let path = request.path.trim_start_matches('/');
    let (index, action) = path.split_once('/').unwrap_or((path, ""));
    let missing = || (404, json!({"error": {"type": "index_not_found_exception"}}));
    match (request.method.as_str(), action) {
        ("GET", "") => {
            let names: Vec<&str> = index.split(',').collect();
            let fits = |name: &str| {
                names.iter().any(|known| match known.strip_suffix('*') {
                    Some(start) => name.starts_with(start),
                    None => *known == name,
                })
            };
            let found = indices
                .iter()
                .filter(|(name, one)| fits(name) || one.aliases.iter().any(|alias| fits(alias)));
            let about = |(name, one): (&String, &Index)| {
                let aliases = one.aliases.iter().map(|alias| (alias.clone(), json!({})));
                let aliases: serde_json::Map<String, Value> = aliases.collect();
                let about = json!({"aliases": aliases, "mappings": one.about["mappings"]});
                (name.clone(), about)
            };
            (200, Value::Object(found.map(about).collect()))
        }
        ("PUT", "") if indices.contains_key(index) => {
            (400, json!({"error": {"type": "resource_already_exists_exception"}}))
        }
        ("PUT", "") => {
            indices.insert(index.to_owned(), Index { about: body, ..Index::default() });
            (200, json!({"acknowledged": true}))
        }
        ("DELETE", "") => match indices.remove(index) {
            Some(_) => (200, json!({"acknowledged": true})),
            None => missing(),
        },
        ("POST", "") if index == "_aliases" => {
            for action in body["actions"].as_array().expect("actions") {
                let (what, of) = action.as_object().expect("one").iter().next().expect("one");
                let name = of["index"].as_str().expect("an index");
                let alias = of["alias"].as_str().expect("an alias").to_owned();
                let Some(one) = indices.get_mut(name) else { return missing() };
                one.aliases.retain(|known| *known != alias);
                if what == "add" {
                    one.aliases.push(alias);
                }
            }
            (200, json!({"acknowledged": true}))
        }
        ("POST", "_refresh") => (200, json!({})),
        ("POST", "_bulk") => bulk(indices.get_mut(index), &request.body, refused),
        ("POST", "_delete_by_query") => {
            let Some(one) = indices.get_mut(index) else { return missing() };
            let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
            let gone = list(&body["query"]["bool"]["filter"]["terms"]["conversation"]);
            let stays = list(&body["query"]["bool"]["must_not"]["terms"]["version"]);
            one.documents.retain(|_, document| {
                !gone.contains(&document["conversation"]) || stays.contains(&document["version"])
            });
            (200, json!({"failures": []}))
        }
        ("POST", "_search") => match indices.get(index) {
            Some(one) => (200, parts(one, &body)),
            None => missing(),
        },
        _ => (405, json!({"error": {"type": "unknown", "reason": path}})),
    }
}

fn bulk(index: Option<&mut Index>, body: &str, refused: Option<Refusal>) -> (u16, Value) {
    let Some(index) = index else {
        return (404, json!({"error": {"type": "index_not_found_exception"}}));
    };
    assert!(body.ends_with('\n'));
    let lines: Vec<Value> =
        body.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let mut items = Vec::new();
    for (place, pair) in lines.chunks(2).enumerate() {
        let id = pair[0]["index"]["_id"].as_str().expect("an id").to_owned();
        let status = refused.filter(|(_, which)| which(place)).map(|(status, _)| status);
        if status.is_none() {
            index.documents.insert(id.clone(), pair[1].clone());
        }
        let reason = json!({"type": "simulated", "reason": "as requested"});
        items.push(json!({"index": {
            "_id": id,
            "status": status.unwrap_or(201),
            "error": status.map(|_| reason),
        }}));
    }
    (200, json!({"errors": refused.is_some(), "items": items}))
}

/// The number of documents of each version of each conversation.
fn parts(index: &Index, body: &Value) -> Value {
    let composite = &body["aggs"]["parts"]["composite"];
    let size = composite["size"].as_u64().expect("a size") as usize;
    let mut counts: BTreeMap<(String, String), (u64, Option<u64>)> = BTreeMap::new();
    for document in index.documents.values() {
        let text = |name: &str| document[name].as_str().expect(name).to_owned();
        let row = counts.entry((text("conversation"), text("version"))).or_default();
        row.0 += 1;
        row.1 = row.1.max(document["turns"].as_u64());
    }
    let after = composite.get("after").map(|after| {
        let text = |name: &str| after[name].as_str().expect(name).to_owned();
        (text("conversation"), text("version"))
    });
    let rows = counts.into_iter().filter(|(key, _)| after.as_ref().is_none_or(|last| key > last));
    let rows: Vec<Value> = rows
        .take(size)
        .map(|((conversation, version), (count, turns))| {
            json!({
                "key": {"conversation": conversation, "version": version},
                "doc_count": count,
                "turns": {"value": turns.map(|turns| turns as f64)},
            })
        })
        .collect();
    let last = rows.last().map(|row| row["key"].clone());
    json!({"aggregations": {"parts": {"buckets": rows, "after_key": last}}})
}
