#!/usr/bin/env bash
# container.sh VERSION NAME: builds the container of both architectures from the archives in $RELEASE_DIR, pushes it as NAME:VERSION, and
# writes its digest to container-VERSION.txt there, and to the outputs of the workflow's step.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
version=$1 name=$2
release=${RELEASE_DIR:-.artifacts/release-$version}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for arch in amd64 arm64; do
  archive=$release/proof-of-reserves-$version-linux-$arch.tar.gz
  # On one machine there is only its own architecture.
  [ -e "$archive" ] || { [ -z "${GITHUB_ACTIONS:-}" ] && continue; }
  mkdir -p "$work/$arch"
  tar -xzf "$archive" -C "$work/$arch" --strip-components=1
done
platforms=$(cd "$work" && printf 'linux/%s,' * )
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
docker buildx build --platform "${platforms%,}" --file .deploy/Containerfile --tag "$name:$version" --provenance=false \
  --output type=image,push=true,rewrite-timestamp=true --metadata-file "$work/metadata.json" "$work"
digest=$(sed -nE 's/.*"containerimage\.digest": *"(sha256:[0-9a-f]{64})".*/\1/p' "$work/metadata.json")
[ -n "$digest" ] || { echo 'no digest of the container' >&2; exit 1; }
echo "$name@$digest" >"$release/container-$version.txt"
echo "digest=$digest" >>"${GITHUB_OUTPUT:-/dev/stdout}"
