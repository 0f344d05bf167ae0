//! The lock on the state of a site, so that only one build at a time changes it.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::Error;
use super::folder::Folder;

/// The name of the locked file.
pub(super) const LOCK: &str = "lock";
/// How long to wait for another build.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// Opens the folder `name` of a site and locks it until the returned file is closed, which the
/// system does even if the process crashes. The file is `None` if the file system does not support
/// locks; then files are still written completely or not at all. `hint` is added to errors.
pub(super) fn lock(
    site: &Folder,
    name: &str,
    hint: &'static str,
    waiting: &dyn Fn(&str),
) -> Result<(Folder, Option<File>), Error> {
    let failed = |cause| Error::new("open", &site.path().join(name), cause).hint_or(hint);
    let started = Instant::now();
    let mut reported = false;
    loop {
        let folder = site.make_child(name).map_err(failed)?;
        let path = folder.path().join(LOCK);
        let failed = |cause| Error::new("lock", &path, cause).hint_or(hint);
        let mut file = match folder.file_to_change(LOCK) {
            Ok(file) => file,
            // Somebody deleted the folder in the meantime.
            Err(cause)
                if cause.kind() == ErrorKind::NotFound && started.elapsed() < LOCK_TIMEOUT =>
            {
                continue;
            }
            Err(cause) => return Err(failed(cause)),
        };
        match file.try_lock() {
            Ok(()) if is_still(&file, &path) => {
                // The process id is only for messages of waiting builds.
                let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
                return Ok((folder, Some(file)));
            }
            Ok(()) => continue,
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {
                return Ok((folder, None));
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let holder = folder.read(LOCK).unwrap_or_default();
        let holder = String::from_utf8_lossy(&holder).into_owned();
        if started.elapsed() >= LOCK_TIMEOUT {
            let message = format!("another build of this site (process {holder}) is using it");
            return Err(Error::new("lock", &path, io::Error::other(message)));
        }
        if !std::mem::replace(&mut reported, true) {
            waiting(&holder);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(unix)]
fn is_still(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |data: std::fs::Metadata| (data.dev(), data.ino());
    file.metadata().ok().map(number) == path.symlink_metadata().ok().map(number)
}

#[cfg(not(unix))]
fn is_still(_: &File, _: &Path) -> bool {
    true
}
