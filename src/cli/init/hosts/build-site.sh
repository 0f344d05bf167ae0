#!/bin/sh
# Installs the version of convo-site that is pinned here, builds the site, and ends with an error
# unless the site may go out. `convo-site init --deploy` wrote it; it is yours to change. Each value
# can also come from a variable of the environment, by the name that stands beside it.
#
# Keep the repository private: whoever can read it can read the sources in `content/`, conversations
# that are held back too. `convo-site deploy` publishes from your own machine and needs no repository
# with sources.
set -eu

# The version, and the SHA-256 of its archive for this machine: SHA256SUMS of the release has it.
version=@VERSION@
sha256=@SHA256@
# Where the releases are: below it, v1.2.3/convo-site-1.2.3-x86_64-unknown-linux-musl.tar.gz.
releases=@RELEASES@
# The folder with site.toml.
site=@SITE@

version=${CONVO_SITE_VERSION:-$version}
sha256=${CONVO_SITE_SHA256:-$sha256}
releases=${CONVO_SITE_RELEASES:-$releases}
site=${CONVO_SITE_FOLDER:-$site}
# The folder into which the site is built.
output=${CONVO_SITE_OUTPUT:-$site/public}
# A folder that the host keeps from one build to the next, if it has one. Netlify has.
keep=${CONVO_SITE_KEEP:-}
if [ -z "$keep" ] && [ -d /opt/build/cache ]; then
    keep=/opt/build/cache/convo-site
fi

fail() {
    echo "build-site.sh: $1" >&2
    exit 2
}

install() {
    [ -n "$releases" ] || fail "no release is named: \`releases\` says from where to install"
    [ -n "$sha256" ] || fail "no SHA-256 is pinned: \`sha256\` is that of the archive, as SHA256SUMS of the release says"
    [ "$(uname -s)" = Linux ] || fail "this installs on Linux; put convo-site $version into the PATH"
    folder=$(mktemp -d)
    archive=convo-site-$version-$(uname -m)-unknown-linux-musl.tar.gz
    curl --fail --silent --show-error --location --retry 3 \
        --output "$folder/$archive" "$releases/v$version/$archive" ||
        fail "$archive cannot be had"
    echo "$sha256  $folder/$archive" | sha256sum -c - >/dev/null ||
        fail "$archive is not the one whose SHA-256 is pinned"
    tar -xzf "$folder/$archive" -C "$folder"
    program=$(find "$folder" -type f -name convo-site | head -n 1)
    [ -n "$program" ] || fail "$archive holds no convo-site"
    PATH=$(dirname "$program"):$PATH
    export PATH
}

case $(convo-site --version 2>/dev/null || true) in
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

# What a build finds, such as a conversation that is held back, is judged by the check.
convo-site build "$site" --output "$output" || [ $? = 1 ]
format=human
[ -z "${GITHUB_ACTIONS:-}" ] || format=github
convo-site check "$site" --publish --output "$output" --message-format "$format"

if [ -n "$keep" ]; then
    rm -rf "$keep/output"
    cp -Rp "$output" "$keep/output"
fi
