//! Ensures that only the studio's own page can send requests.
//!
//! The address contains a token that other pages don't know. `Host` and `Origin` must name this
//! server, so that no other site's name can point to it. Requests that change something need a
//! content type that forms on other sites can't send.

use std::fmt::Write as _;

use axum::http::header::{CONTENT_TYPE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};

const TOKEN_BYTES: usize = 24;

#[derive(Debug, Clone)]
pub(crate) struct Gate {
    port: u16,
    token: String,
}

impl Gate {
    pub(crate) fn new(port: u16) -> std::io::Result<Self> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
        let mut token = String::new();
        for byte in bytes {
            let _ = write!(token, "{byte:02x}");
        }
        Ok(Self { port, token })
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Returns the path with which all addresses of the studio start.
    pub(crate) fn root(&self) -> String {
        format!("/{}/", self.token)
    }

    /// Returns the path after the token if the request is allowed.
    pub(crate) fn pass<'p>(
        &self,
        method: &Method,
        path: &'p str,
        headers: &HeaderMap,
    ) -> Result<&'p str, StatusCode> {
        let text = |name| {
            headers
                .get(name)
                .and_then(|it: &HeaderValue| it.to_str().ok())
        };
        let hosts = ["127.0.0.1", "localhost"].map(|host| format!("{host}:{}", self.port));
        let host = text(HOST).filter(|host| hosts.iter().any(|it| it == host));
        let Some(host) = host else {
            return Err(StatusCode::MISDIRECTED_REQUEST);
        };
        if headers.contains_key(ORIGIN) && text(ORIGIN) != Some(&*format!("http://{host}")) {
            return Err(StatusCode::FORBIDDEN);
        }
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        let is_own = matches!(site, None | Some(b"same-origin" | b"none"));
        // A link on another site can open the page, but all other requests must come from the page.
        let opens = *method == Method::GET && path.matches('/').count() == 2 && path.ends_with('/');
        if !is_own && !opens {
            return Err(StatusCode::FORBIDDEN);
        }
        let rest = path.strip_prefix('/').and_then(|it| it.split_once('/'));
        let (token, rest) = rest.ok_or(StatusCode::NOT_FOUND)?;
        if !is_same(token, &self.token) {
            return Err(StatusCode::NOT_FOUND);
        }
        match *method {
            Method::GET => Ok(rest),
            Method::POST if text(CONTENT_TYPE).is_some_and(|it| OWN.contains(&it)) => Ok(rest),
            Method::POST => Err(StatusCode::UNSUPPORTED_MEDIA_TYPE),
            _ => Err(StatusCode::METHOD_NOT_ALLOWED),
        }
    }
}

/// Content types that forms on other sites can't send.
const OWN: &[&str] = &["application/json", "application/octet-stream"];

/// Compares texts in constant time, so that the time doesn't reveal how much of a text is right.
fn is_same(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).map(|(a, b)| a ^ b);
    one.len() == other.len() && differences.fold(0, |all, it| all | it) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(method: &Method, path: &str, headers: &[(&'static str, &str)]) -> Result<String, u16> {
        let gate = Gate {
            port: 8080,
            token: "abc".to_owned(),
        };
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, value.parse().unwrap());
        }
        let passed = gate.pass(method, path, &map);
        passed.map(str::to_owned).map_err(|status| status.as_u16())
    }

    const HERE: (&str, &str) = ("host", "127.0.0.1:8080");
    const JSON: (&str, &str) = ("content-type", "application/json");

    #[test]
    fn the_own_page_passes() {
        let own = ("origin", "http://127.0.0.1:8080");
        let same = ("sec-fetch-site", "same-origin");
        assert_eq!(asked(&Method::GET, "/abc/", &[HERE]), Ok(String::new()));
        assert_eq!(
            asked(&Method::GET, "/abc/api/state", &[HERE, same]),
            Ok("api/state".to_owned())
        );
        let post = asked(&Method::POST, "/abc/api/edit", &[HERE, own, same, JSON]);
        assert_eq!(post, Ok("api/edit".to_owned()));
        let local = [
            ("host", "localhost:8080"),
            ("origin", "http://localhost:8080"),
            JSON,
        ];
        assert_eq!(
            asked(&Method::POST, "/abc/api/edit", &local),
            Ok("api/edit".to_owned())
        );
        let link = ("sec-fetch-site", "cross-site");
        assert_eq!(
            asked(&Method::GET, "/abc/", &[HERE, link]),
            Ok(String::new())
        );
    }

    #[test]
    fn others_do_not() {
        let get = |path, headers: &[_]| asked(&Method::GET, path, headers);
        assert_eq!(get("/abd/api/state", &[HERE]), Err(404));
        assert_eq!(get("/ab/api/state", &[HERE]), Err(404));
        assert_eq!(get("/abc", &[HERE]), Err(404));
        assert_eq!(get("/", &[HERE]), Err(404));
        assert_eq!(get("/abc/", &[]), Err(421));
        // Another site's name that points to this server.
        assert_eq!(get("/abc/", &[("host", "evil.example:8080")]), Err(421));
        assert_eq!(get("/abc/", &[("host", "127.0.0.1:8081")]), Err(421));
        let other = ("origin", "http://evil.example");
        assert_eq!(get("/abc/api/state", &[HERE, other]), Err(403));
        assert_eq!(get("/abc/api/state", &[HERE, ("origin", "null")]), Err(403));
        assert_eq!(
            get("/abc/api/state", &[HERE, ("sec-fetch-site", "cross-site")]),
            Err(403)
        );
        let form = ("content-type", "text/plain");
        assert_eq!(
            asked(&Method::POST, "/abc/api/edit", &[HERE, form]),
            Err(415)
        );
        assert_eq!(asked(&Method::POST, "/abc/api/edit", &[HERE]), Err(415));
        assert_eq!(
            asked(&Method::DELETE, "/abc/api/edit", &[HERE, JSON]),
            Err(405)
        );
    }
}
