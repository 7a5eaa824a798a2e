//! Packs the VS Code extension as a `.vsix` file, which is a zip archive with a manifest.

#[cfg(test)]
mod tests;

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;

use prophet_text::Context as _;
use serde_json::Value;
use zip::write::SimpleFileOptions;
use zip::{DateTime, ZipWriter};

use super::stop;
use crate::Stop;

/// Files of the extension. They have the same names in its folder and in the archive.
const FILES: [(&str, &str); 8] = [
    ("package.json", "package.json"),
    ("README.md", "README.md"),
    ("../../../LICENSE-MIT", "LICENSE.txt"),
    ("language-configuration.json", "language-configuration.json"),
    (
        "syntaxes/plantuml.tmLanguage.json",
        "syntaxes/plantuml.tmLanguage.json",
    ),
    (
        "syntaxes/rules.tmLanguage.json",
        "syntaxes/rules.tmLanguage.json",
    ),
    ("dist/extension.js", "dist/extension.js"),
    ("dist/licenses.md", "dist/licenses.md"),
];

/// Types of the files in the archive, by extension.
const TYPES: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".js" ContentType="application/javascript"/>
  <Default Extension=".json" ContentType="application/json"/>
  <Default Extension=".md" ContentType="text/markdown"/>
  <Default Extension=".txt" ContentType="text/plain"/>
  <Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
"#;

/// Packs the extension from the folder in which npm has built it. The same files always give the
/// same bytes.
pub(super) fn packed(folder: &Path) -> Result<Vec<u8>, Stop> {
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read(&path).map_err(|error| stop("read", &path, &error))
    };
    let mut files = Vec::new();
    for (from, to) in FILES {
        files.push((format!("extension/{to}"), read(from)?));
    }
    let manifest: Value = serde_json::from_slice(&files[0].1).context("package.json is invalid")?;
    let manifest = described(&manifest).into_bytes();
    let types = TYPES.as_bytes().to_vec();
    files.insert(0, ("extension.vsixmanifest".to_owned(), manifest));
    files.insert(1, ("[Content_Types].xml".to_owned(), types));
    zipped(files, "").map_err(|why| Stop::input(format!("cannot pack the extension: {why}")))
}

/// Returns the archive's manifest, given the extension's manifest.
fn described(package: &Value) -> String {
    let text = |value: &Value| {
        let text = value.as_str().unwrap_or_default();
        prophet_text::markup::escaped(text)
    };
    let joined = |list: &Value| {
        let all = list.as_array().into_iter().flatten();
        all.map(text).collect::<Vec<_>>().join(",")
    };
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="{name}" Version="{version}" Publisher="{publisher}"/>
    <DisplayName>{title}</DisplayName>
    <Description xml:space="preserve">{about}</Description>
    <Tags>{tags}</Tags>
    <Categories>{categories}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="{engine}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest"
      Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details"
      Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License"
      Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
"#,
        name = text(&package["name"]),
        version = text(&package["version"]),
        publisher = text(&package["publisher"]),
        title = text(&package["displayName"]),
        about = text(&package["description"]),
        tags = joined(&package["keywords"]),
        categories = joined(&package["categories"]),
        engine = text(&package["engines"]["vscode"]),
    )
}

/// Packs files and a comment into an archive. The same files always give the same bytes.
pub(crate) fn zipped(
    files: Vec<(String, Vec<u8>)>,
    comment: &str,
) -> zip::result::ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    // The time of all files is fixed.
    let options = SimpleFileOptions::default()
        .last_modified_time(DateTime::default())
        .compression_level(Some(9));
    for (name, content) in files {
        archive.start_file(name, options)?;
        archive.write_all(&content)?;
    }
    archive.set_comment(comment)?;
    Ok(archive.finish()?.into_inner())
}
