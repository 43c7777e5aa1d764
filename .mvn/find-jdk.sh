# Finds a Java 25 or newer; sourced by ./stockroom and ./verify. Works with the bash 3.2 of macOS.
# shellcheck shell=bash disable=SC2034

java_needed=25

# The folders a Java may be in, one a line, best first.
java_candidates() {
  local on_path folder
  [ -z "${JAVA_HOME:-}" ] || printf '%s\n' "$JAVA_HOME"
  if on_path=$(command -v java); then
    on_path=$(readlink -f "$on_path")
    printf '%s\n' "${on_path%/bin/java}"
  fi
  for folder in /usr/lib/jvm/* /opt/java* /opt/jdk* "${HOME:-/root}"/.sdkman/candidates/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home "${HOME:-/root}"/.jdks/*; do
    [ ! -x "$folder/bin/java" ] || printf '%s\n' "$folder"
  done
}

# The version of the Java in a folder, such as 25.0.3; empty when it does not run. The release file
# is read first because asking the program itself takes a tenth of a second.
java_version() {
  local line version=
  if [ -r "$1/release" ]; then
    while IFS= read -r line; do
      case $line in JAVA_VERSION=*) version=${line#JAVA_VERSION=} ;; esac
    done <"$1/release"
  fi
  if [ -z "$version" ]; then
    version=$("$1/bin/java" -version 2>&1 | sed -n 's/.* version \("[^"]*"\).*/\1/p' | head -n 1)
  fi
  version=${version%$'\r'}
  version=${version#\"}
  printf '%s\n' "${version%\"}"
}

# Sets java_home to the first Java that is new enough. With the argument "compiler" it must have
# javac too. Says what it looked at and fails when there is none.
find_java() {
  local folder version major seen='' looked_at=''
  java_home=
  while IFS= read -r folder; do
    case $seen in *"|$folder|"*) continue ;; esac
    seen="$seen|$folder|"
    version=''
    [ ! -x "$folder/bin/java" ] || version=$(java_version "$folder")
    major=${version%%[!0-9]*}
    if [ "${major:-0}" -lt "$java_needed" ]; then
      looked_at="$looked_at  $folder: ${version:-no Java that runs}"$'\n'
    elif [ "${1:-}" = compiler ] && [ ! -x "$folder/bin/javac" ]; then
      looked_at="$looked_at  $folder: $version, but without the compiler (a JRE, not a JDK)"$'\n'
    else
      java_home=$folder
      return 0
    fi
  done < <(java_candidates)

  {
    printf 'Stockroom needs a JDK %s or newer, and found none. Looked at:\n' "$java_needed"
    printf '%s' "${looked_at:-  nothing: no JAVA_HOME, no java on the PATH, none in the usual folders
}"
    printf 'Install one, for example Eclipse Temurin %s (https://adoptium.net),' "$java_needed"
    printf ' or set JAVA_HOME to the folder of one.\n'
  } >&2
  return 1
}
