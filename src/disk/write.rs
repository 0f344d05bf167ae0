//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Error;
use crate::hash::Hash;
use crate::path::OutPath;

/// Where a file is written before it takes its place. Its own name may be as long as a name
/// may be.
pub(super) fn temporary(path: &Path) -> PathBuf {
    let parent = path.parent().unwrap_or(path);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    parent.join(format!(".{}.tmp", Hash::of_bytes(name.as_bytes()).short(12)))
}

/// Writes beside the file and renames, so that nobody ever sees half of it and a link in its
/// place is replaced and not followed.
pub(super) fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    write_with(path, |file| file.write_all(bytes))
}

/// The same for what is not in memory as a whole.
pub(super) fn write_with(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), Error> {
    let parent = path.parent().unwrap_or(path);
    let temporary = temporary(path);
    let failed = |cause| {
        let _ = fs::remove_file(&temporary);
        Error::new("write", path, cause)
    };
    let mut file = match File::create(&temporary) {
        Ok(file) => file,
        Err(_) => {
            // Most often the folder is not there yet; if it is something else, it happens again.
            fs::create_dir_all(parent)
                .map_err(|cause| Error::new("create", parent, cause))?;
            File::create(&temporary).map_err(failed)?
        }
    };
    write(&mut file).map_err(failed)?;
    drop(file);
    fs::rename(&temporary, path).map_err(failed)
}

/// Whether a file, and no link to one, holds these bytes.
pub(super) fn holds(path: &Path, bytes: &[u8]) -> bool {
    path.symlink_metadata()
        .is_ok_and(|data| data.is_file() && data.len() == bytes.len() as u64)
        && fs::read(path).is_ok_and(|there| there == bytes)
}

/// Removes a file of ours and the folders that are empty after it. Whether it was there.
pub(super) fn remove(dest: &Path, path: &OutPath) -> Result<bool, Error> {
    let file = dest.join(path.as_str());
    match fs::remove_file(&file) {
        Ok(()) => {}
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(cause) => return Err(Error::new("remove", &file, cause)),
    }
    let mut folder = file.parent();
    while let Some(empty) = folder.filter(|folder| *folder != dest) {
        if fs::remove_dir(empty).is_err() {
            break;
        }
        folder = empty.parent();
    }
    Ok(true)
}
