//! The folders in which programs keep what belongs to a user, as each system has them.

use std::path::PathBuf;

/// Returns the user's home folder.
pub(super) fn home() -> Option<PathBuf> {
    folder(if cfg!(windows) { "USERPROFILE" } else { "HOME" })
}

/// Returns the folder for caches.
pub(super) fn cache() -> Option<PathBuf> {
    of_system("LOCALAPPDATA", "Library/Caches", "XDG_CACHE_HOME", ".cache")
}

/// Returns the folder for settings.
pub(super) fn config() -> Option<PathBuf> {
    of_system("APPDATA", "Library/Application Support", "XDG_CONFIG_HOME", ".config")
}

/// Returns the folder for data.
pub(super) fn data() -> Option<PathBuf> {
    of_system("LOCALAPPDATA", "Library/Application Support", "XDG_DATA_HOME", ".local/share")
}

/// Returns a folder by its variable on Windows, its path below the home folder on macOS, and its variable or
/// its path below the home folder on other systems.
fn of_system(windows: &str, macos: &str, variable: &str, below_home: &str) -> Option<PathBuf> {
    if cfg!(windows) {
        return folder(windows);
    }
    let in_home = |path: &str| home().map(|home| home.join(path));
    if cfg!(target_os = "macos") {
        return in_home(macos);
    }
    folder(variable).or_else(|| in_home(below_home))
}

/// Returns the folder that a variable names, if its path is absolute.
#[expect(clippy::disallowed_methods, reason = "these folders depend on the system and the user")]
pub(super) fn folder(variable: &str) -> Option<PathBuf> {
    std::env::var(variable).ok().map(PathBuf::from).filter(|path| path.is_absolute())
}
