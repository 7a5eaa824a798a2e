//! The files of the page, which are part of the program, packed by gzip.

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// A file of the page: its type, and its bytes as gzip packs them.
pub(crate) fn file(path: &str) -> Option<(&'static str, &'static [u8])> {
    let path = if path.is_empty() { "index.html" } else { path };
    let (name, bytes) = FILES.iter().find(|(name, _)| *name == path)?;
    Some((media_type(name), bytes))
}

/// True if the page was built before the program was.
pub(crate) fn is_built() -> bool {
    file("").is_some()
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or("") {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "woff2" => "font/woff2",
        "json" => "application/json",
        _ => "application/octet-stream",
    }
}
