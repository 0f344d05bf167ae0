#!/bin/sh
# Installs the version of convo-site below, builds the site, and fails unless the site is safe to
# publish. Written by `convo-site init --deploy`; you can change it. The environment variables below
# override the values.
#
# Keep the repository private: everybody who can read it can read the sources in `content/`, withheld
# conversations included. `convo-site deploy` publishes from your own computer and needs no repository
# with sources.
set -eu

# The version, and the SHA-256 of its archive for this platform, from SHA256SUMS of the release.
version=@VERSION@
sha256=@SHA256@
# The URL of the releases, without v1.2.3/convo-site-1.2.3-x86_64-unknown-linux-musl.tar.gz.
releases=@RELEASES@
# The folder with site.toml.
site=@SITE@

version=${CONVO_SITE_VERSION:-$version}
sha256=${CONVO_SITE_SHA256:-$sha256}
releases=${CONVO_SITE_RELEASES:-$releases}
site=${CONVO_SITE_FOLDER:-$site}
# The output folder.
output=${CONVO_SITE_OUTPUT:-$site/public}
# A folder that the host keeps between builds, if any. Netlify has one.
keep=${CONVO_SITE_KEEP:-}
if [ -z "$keep" ] && [ -d /opt/build/cache ]; then
    keep=/opt/build/cache/convo-site
fi

fail() {
    echo "build-site.sh: $1" >&2
    exit 2
}

install() {
    [ -n "$releases" ] || fail "no release is named: set \`releases\` to the URL to install from"
    [ -n "$sha256" ] || fail "no SHA-256 is pinned: set \`sha256\` to that of the archive, from SHA256SUMS of the release"
    [ "$(uname -s)" = Linux ] || fail "this script only installs on Linux; add convo-site $version to the PATH"
    folder=$(mktemp -d)
    archive=convo-site-$version-$(uname -m)-unknown-linux-musl.tar.gz
    curl --fail --silent --show-error --location --retry 3 \
        --output "$folder/$archive" "$releases/v$version/$archive" ||
        fail "cannot download $archive"
    echo "$sha256  $folder/$archive" | sha256sum -c - >/dev/null ||
        fail "$archive does not match the pinned SHA-256"
    tar -xzf "$folder/$archive" -C "$folder"
    program=$(find "$folder" -type f -name convo-site | head -n 1)
    [ -n "$program" ] || fail "$archive does not contain convo-site"
    PATH=$(dirname "$program"):$PATH
    export PATH
}

# The first line has the version, and the others say how the program was built.
case $(convo-site --version 2>/dev/null | head -n 1) in
"convo-site $version" | "convo-site $version "*) ;;
*) install ;;
esac

if [ -n "$keep" ]; then
    mkdir -p "$keep"
    export CONVO_SITE_CACHE_DIR="${CONVO_SITE_CACHE_DIR:-$keep}"
    if [ -d "$keep/output" ] && [ ! -d "$output" ]; then
        cp -Rp "$keep/output" "$output"
    fi
fi

# Errors of the build, such as a withheld conversation, are left to the check.
convo-site build "$site" --output "$output" || [ $? = 1 ]
format=human
[ -z "${GITHUB_ACTIONS:-}" ] || format=github
convo-site check "$site" --publish --output "$output" --message-format "$format"

if [ -n "$keep" ]; then
    rm -rf "$keep/output"
    cp -Rp "$output" "$keep/output"
fi
