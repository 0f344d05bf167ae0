"""formula.py: prints the Homebrew formula that installs the archives in dist."""

import hashlib
import os

from archives import DIST, PACKAGE, VERSION

address = f"{os.environ['GITHUB_SERVER_URL']}/{os.environ['GITHUB_REPOSITORY']}"


def source(target: str) -> str:
    """Returns the URL and the hash of the archive of a target."""
    name = f"convo-site-{VERSION}-{target}.tar.gz"
    digest = hashlib.sha256((DIST / name).read_bytes()).hexdigest()
    return f'url "{address}/releases/download/v{VERSION}/{name}"\n      sha256 "{digest}"'


print(f"""class ConvoSite < Formula
  desc "{PACKAGE['description'].removeprefix('A ').capitalize()}"
  homepage "{address}"
  version "{VERSION}"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      {source("aarch64-apple-darwin")}
    end
    on_intel do
      {source("x86_64-apple-darwin")}
    end
  end
  on_linux do
    on_arm do
      {source("aarch64-unknown-linux-musl")}
    end
    on_intel do
      {source("x86_64-unknown-linux-musl")}
    end
  end

  def install
    bin.install "convo-site"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/convo-site.bash" => "convo-site"
    fish_completion.install "completions/convo-site.fish"
    zsh_completion.install "completions/_convo-site"
  end

  test do
    system bin/"convo-site", "init", "talks"
    system bin/"convo-site", "build", "talks"
    assert_path_exists testpath/"talks/public/index.html"
  end
end""")
