//! Embeds the files of the page, which npm builds and `cargo xtask page` packs.

use std::io::{Cursor, Read as _};

use zip::{CompressionMethod, ZipArchive};

static PACKED: &[u8] = include_bytes!("../page.zip");

/// Header of a gzip stream: deflate, without a name, time or system.
const GZIP: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// Returns the type of one of the page's files, and its content compressed with gzip.
pub(crate) fn file(path: &str) -> Option<(&'static str, Vec<u8>)> {
    let name = if path.is_empty() { "index.html" } else { path };
    let mut archive = ZipArchive::new(Cursor::new(PACKED)).ok()?;
    let index = archive.index_for_name(name)?;
    let mut file = archive.by_index_raw(index).ok()?;
    if file.compression() != CompressionMethod::Deflated {
        return None;
    }
    // A zip archive contains the same data as gzip, except for the first and the last bytes.
    let mut bytes = GZIP.to_vec();
    file.read_to_end(&mut bytes).ok()?;
    bytes.extend(file.crc32().to_le_bytes());
    bytes.extend(u32::try_from(file.size()).ok()?.to_le_bytes());
    Some((media_type(name), bytes))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_sent_as_gzip_packs_it() {
        let (kind, bytes) = file("").expect("there is a page");
        let mut text = String::new();
        let read = flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text);
        assert_eq!(read.expect("its checksum is right"), text.len());
        assert!(
            kind.starts_with("text/html") && text.contains("<title>"),
            "{text}"
        );
        assert!(file("licenses.md").is_some() && file("none.js").is_none());
    }
}
