//! A headless Chromium: where it is, and one that does what it is told, by the `DevTools` protocol
//! over pipes.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

/// Environment variable with the path of a Chromium.
const VARIABLE: &str = "IMPINGE_CHROMIUM";
/// Names of the program where the variable is not set.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// The longest wait for an answer, or for what a page does.
const PATIENCE: Duration = Duration::from_secs(60);
/// Gives the program the pipes that it reads and writes messages by.
const PIPES: &str = r#"exec "$0" "$@" 3<&0 4>&1 0</dev/null 1>/dev/null"#;
/// Draws WebGL in software, so that no graphics adapter is needed.
const SOFTWARE: [&str; 3] =
    ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

/// The browser, if there is one.
pub(super) fn chromium() -> Option<PathBuf> {
    if let Some(path) = env::var_os(VARIABLE) {
        return Some(PathBuf::from(path));
    }
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let files = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    files.into_iter().find(|file| file.is_file())
}

/// A browser with one tab.
pub(super) struct Browser {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    session: Option<String>,
    calls: u64,
    /// What the browser told by itself.
    events: Vec<Value>,
}

impl Browser {
    /// Starts the program with a profile of its own.
    pub(super) fn start(chromium: &Path, profile: &Path) -> Result<Self, String> {
        let mut command = Command::new("sh");
        command.args(["-c", PIPES]).arg(chromium).args(SOFTWARE);
        command.args(["--headless=new", "--no-sandbox", "--hide-scrollbars"]);
        command.args(["--remote-debugging-pipe", "--no-first-run"]);
        command.arg(format!("--user-data-dir={}", profile.display()));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("sh: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the browser has no pipes".to_owned());
        };
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(output).split(0).map_while(Result::ok) {
                if sender.send(serde_json::from_slice(&message).unwrap_or_default()).is_err() {
                    break;
                }
            }
        });
        let (session, events) = (None, Vec::new());
        let mut browser = Self { child, input, messages, session, calls: 0, events };
        browser.attach()?;
        Ok(browser)
    }

    /// Opens a tab, and listens to all that happens in it.
    fn attach(&mut self) -> Result<(), String> {
        let target = self.call("Target.createTarget", &json!({ "url": "about:blank" }))?;
        let tab = json!({ "targetId": target["targetId"], "flatten": true });
        let session = self.call("Target.attachToTarget", &tab)?;
        self.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), &json!({}))?;
        }
        Ok(())
    }

    /// Calls a method of the protocol.
    pub(super) fn call(&mut self, method: &str, parameters: &Value) -> Result<Value, String> {
        self.calls += 1;
        let call = self.calls;
        let mut message = json!({ "id": call, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let text = format!("{message}\0");
        self.input.write_all(text.as_bytes()).map_err(|error| format!("{method}: {error}"))?;
        loop {
            let answer = self.messages.recv_timeout(PATIENCE);
            let answer = answer.map_err(|error| format!("{method}: no answer: {error}"))?;
            if answer["id"] != json!(call) {
                self.events.push(answer);
                continue;
            }
            return match answer.get("error") {
                Some(error) => Err(format!("{method}: {}", error["message"])),
                None => Ok(answer["result"].clone()),
            };
        }
    }

    /// The value of an expression in the page; of a promise, what it becomes.
    pub(super) fn evaluate(&mut self, expression: &str) -> Result<Value, String> {
        let asked =
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", &asked)?;
        match answer.get("exceptionDetails") {
            Some(thrown) => Err(format!("{}", thrown["exception"]["description"])),
            None => Ok(answer["result"]["value"].clone()),
        }
    }

    /// Waits until an expression is true.
    pub(super) fn wait_for(&mut self, expression: &str) -> Result<(), String> {
        let start = Instant::now();
        while self.evaluate(expression)? != json!(true) {
            if start.elapsed() > PATIENCE {
                return Err(format!("never true: {expression}"));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Loads a page in a window of this size, with light or dark colours.
    pub(super) fn open(
        &mut self,
        address: &str,
        (width, height): (u32, u32),
        dark: bool,
    ) -> Result<(), String> {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", &size)?;
        let scheme = if dark { "dark" } else { "light" };
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.call("Emulation.setEmulatedMedia", &media)?;
        // From one address of a page to another would load nothing.
        for address in ["about:blank", address] {
            self.call("Page.navigate", &json!({ "url": address }))?;
        }
        self.wait_for("document.readyState === 'complete' && location.href !== 'about:blank'")
    }

    /// The bytes of a PNG of an element.
    pub(super) fn picture(&mut self, id: &str) -> Result<Vec<u8>, String> {
        let corners = "({ x, y, width, height, scale: 1 }))";
        let place = format!(
            "(({{ x, y, width, height }}) => {corners}\
             (document.getElementById('{id}').getBoundingClientRect())"
        );
        let clip = self.evaluate(&place)?;
        let asked = json!({ "format": "png", "clip": clip });
        let answer = self.call("Page.captureScreenshot", &asked)?;
        let text = answer["data"].as_str().unwrap_or_default();
        BASE64_STANDARD.decode(text).map_err(|error| error.to_string())
    }

    /// Errors and warnings of the page, and requests that leave it, since the last call.
    pub(super) fn complaints(&mut self) -> Vec<String> {
        self.events.extend(self.messages.try_iter());
        self.events.drain(..).filter_map(|event| complaint(&event)).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session = None;
        // A browser that has ended already is as good.
        let _ = self.call("Browser.close", &json!({}));
        let _ = self.child.wait();
    }
}

/// What is wrong with what a page does.
fn complaint(event: &Value) -> Option<String> {
    let parameters = &event["params"];
    match event["method"].as_str()? {
        "Runtime.exceptionThrown" => {
            Some(format!("an exception: {}", parameters["exceptionDetails"]))
        }
        "Runtime.consoleAPICalled"
            if ["error", "warning", "assert"].map(Value::from).contains(&parameters["type"]) =>
        {
            Some(format!("on the console: {}", parameters["args"]))
        }
        "Log.entryAdded" if parameters["entry"]["level"] == "error" => {
            Some(format!("in the log: {}", parameters["entry"]["text"]))
        }
        "Network.requestWillBeSent" => {
            let address = parameters["request"]["url"].as_str().unwrap_or_default();
            let own = parameters["type"] == "Document" || address.starts_with("data:");
            (!own).then(|| format!("a request: {address}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_are_told_from_other_events() {
        let event = |method: &str, parameters: Value| {
            complaint(&json!({ "method": method, "params": parameters }))
        };
        let request = |address: &str, of: &str| {
            event("Network.requestWillBeSent", json!({ "type": of, "request": { "url": address } }))
        };
        assert!(request("https://example.org/a.js", "Script").is_some());
        assert!(request("file:///other.js", "Script").is_some());
        assert!(request("data:,", "Other").is_none());
        assert!(request("file:///page.html", "Document").is_none());
        assert!(event("Runtime.exceptionThrown", json!({})).is_some());
        assert!(event("Runtime.consoleAPICalled", json!({ "type": "error" })).is_some());
        assert!(event("Runtime.consoleAPICalled", json!({ "type": "log" })).is_none());
        assert!(event("Log.entryAdded", json!({ "entry": { "level": "error" } })).is_some());
        assert!(event("Page.loadEventFired", json!({})).is_none());
        assert!(complaint(&json!({ "id": 3, "result": {} })).is_none());
    }
}
