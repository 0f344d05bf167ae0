//! An assistant that speaks the Model Context Protocol with `convo-site mcp`.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// An assistant that is connected to a server.
pub(crate) struct Assistant {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// Everything that the server wrote.
    pub(crate) seen: String,
    requests: u64,
}

impl Assistant {
    pub(crate) fn of(folder: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_convo-site"))
            .arg("mcp")
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let output = BufReader::new(child.stdout.take().expect("an output"));
        let input = child.stdin.take();
        let mut assistant = Self { child, input, output, seen: String::new(), requests: 0 };
        let about = json!({
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        });
        let server = assistant.request("initialize", about);
        assert_eq!(server["result"]["serverInfo"]["name"], "convo-site");
        assistant.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        assistant
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("an input");
        writeln!(input, "{message}").expect("written");
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let answer = self.answer();
        assert_eq!(answer["id"], id);
        answer
    }

    /// Reads the next answer.
    pub(crate) fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("an answer");
        self.seen.push_str(&line);
        serde_json::from_str(&line).expect("JSON")
    }

    /// Calls a tool, which must succeed. Its text must equal its structured content.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        assert_eq!(result["isError"], false, "{answer}");
        let text = result["content"][0]["text"].as_str().expect("a text");
        assert_eq!(serde_json::from_str::<Value>(text).expect("JSON"), result["structuredContent"]);
        result["structuredContent"].clone()
    }

    /// Calls a tool, which must fail, and returns the message.
    pub(crate) fn fail(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        answer["result"]["content"][0]["text"].as_str().expect("a message").to_owned()
    }

    /// Closes the connection, and returns the exit code.
    pub(crate) fn leave(mut self) -> Option<i32> {
        self.input = None;
        self.child.wait().expect("it ends").code()
    }
}
