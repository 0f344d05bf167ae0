//! One file named on the command line, as [`Files`].

use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::Error;
use crate::diag::{Diagnostic, Severity, WithNotes};
use crate::files::{FileInfo, Files, Memory, Reader, Storage};
use crate::path::RelPath;

/// Returns the file at `path` under a name, without the files next to it.
pub fn single(path: &Path, name: &str) -> Result<Box<dyn Files>, Error> {
    let failed = |cause| Error::new("read", path, cause);
    let data = std::fs::metadata(path).map_err(failed)?;
    if !data.is_file() {
        // A pipe can be read only once.
        let mut memory = Memory::default();
        memory.insert(name, super::read(path)?);
        return Ok(Box::new(memory));
    }
    File::open(path).map_err(failed)?;
    let (path, name) = (path.to_owned(), RelPath::new(name));
    Ok(Box::new(Single { path, name, len: data.len() }))
}

struct Single {
    path: PathBuf,
    name: RelPath,
    len: u64,
}

impl Single {
    fn opened(&self, path: &RelPath) -> Result<File, Box<Diagnostic>> {
        let failed = |message: String| {
            let note = Diagnostic::new(Severity::Error, "unreadable", message);
            Box::new(note.in_file(path.as_str()))
        };
        if *path != self.name {
            return Err(failed("no such file".to_owned()));
        }
        File::open(&self.path).map_err(|cause| failed(format!("cannot be read: {cause}")))
    }
}

impl Files for Single {
    fn names(&self, _: &str) -> Vec<String> {
        Vec::new()
    }

    fn list(&self, _: &str) -> WithNotes<Vec<FileInfo>> {
        let (path, storage) = (self.name.clone(), Storage::Plain);
        let info = FileInfo { path, len: self.len, stamp: None, storage };
        WithNotes::plain(vec![info])
    }

    fn require(&self, _: &str) -> Result<(), Box<Diagnostic>> {
        Ok(())
    }

    fn read(&self, path: &RelPath) -> Result<Vec<u8>, Box<Diagnostic>> {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut self.opened(path)?, &mut bytes).map_err(|cause| {
            let message = format!("cannot be read: {cause}");
            let note = Diagnostic::new(Severity::Error, "unreadable", message);
            Box::new(note.in_file(path.as_str()))
        })?;
        Ok(bytes)
    }

    fn open(&self, path: &RelPath, from: u64) -> Result<Reader, Box<Diagnostic>> {
        let mut file = self.opened(path)?;
        file.seek(SeekFrom::Start(from)).map_err(|cause| {
            let message = format!("cannot be read: {cause}");
            let note = Diagnostic::new(Severity::Error, "unreadable", message);
            Box::new(note.in_file(path.as_str()))
        })?;
        Ok(Box::new(BufReader::new(file)))
    }
}
