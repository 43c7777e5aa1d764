# Functions for the programs in this folder; source it, do not run it.
# A program sets -euo pipefail and then calls need, run_java or serve.

lab=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
root=$(dirname "$lab")
. "$root/.mvn/find-jdk.sh"

say() { printf '%s\n' "$*" >&2; }

# Prints the head comment of the calling program.
show_help() { awk 'NR > 1 && !/^#/ { exit } NR > 1 { sub(/^# ?/, ""); print }' "$0"; }

# offer_help ARGUMENT …: prints the help and exits if one of these is --help or -h.
offer_help() {
  local argument
  for argument; do
    case $argument in --help | -h) show_help && exit 0 ;; esac
  done
}

# need COMMAND …: exits if one of these is not installed.
need() {
  local tool
  for tool; do
    command -v "$tool" >/dev/null || { say "$(basename "$0") needs $tool"; exit 1; }
  done
}

# want_packages COMMAND-OR-FILE:DEBIAN-PACKAGE …: installs what is missing if run as root.
want_packages() {
  local each missing=()
  for each; do
    command -v "${each%:*}" >/dev/null || compgen -G "${each%:*}" >/dev/null || missing+=("${each##*:}")
  done
  [ ${#missing[@]} -gt 0 ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null || return 0
  say "Installing ${missing[*]} …"
  { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
    "${missing[@]}"; } >/dev/null 2>&1 || true
}

# read_options "NAME …" ARGUMENT …: sets the variable NAME for each --NAME VALUE.
read_options() {
  local known=" $1 " name
  shift
  offer_help "$@"
  while [ $# -gt 0 ]; do
    name=${1#--}
    [[ $1 == --* && $known == *" $name "* && $# -ge 2 ]] || {
      say "lab/$(basename "$0"): unknown option or missing value: $1 (see --help)"
      exit 2
    }
    declare -g "$name=$2"
    shift 2
  done
}

# Finds the one library of the harnesses that the server does not ship, or fetches it; sets webhooks_library.
fetch_webhooks_library() {
  local version
  version=$(sed -n 's/.*<standardwebhooks.version>\(.*\)<.*/\1/p' "$root/pom.xml")
  # where ./verify has left it: starting Maven takes seconds
  webhooks_library=~/.m2/repository/com/standardwebhooks/standardwebhooks/$version/standardwebhooks-$version.jar
  [ -f "$webhooks_library" ] && return
  webhooks_library=$lab/target/lib/standardwebhooks-$version.jar
  [ -f "$webhooks_library" ] && return
  copy() {
    (cd "$root" && JAVA_HOME=$java_home mvn -q -B -N org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
      "-Dartifact=com.standardwebhooks:standardwebhooks:$version" "-DoutputDirectory=$lab/target/lib" "$@") >&2
  }
  copy -o 2>/dev/null || copy
}

# Builds the server if a source changed; lab/smoke has done so for all programs.
build_server() { [ -n "${STOCKROOM_BUILT:-}" ] || STOCKROOM_JAVA_OPTIONS="" "$root/stockroom" --version >/dev/null; }

# Compiles the integration tests if a source changed since the last build; sets test_class_path.
build_tests() {
  local list=$root/integration-tests/target/test.classpath
  find_java compiler
  if [ ! -f "$list" ] || [ -n "$(find "$root"/{pom.xml,docs} "$root"/{protocol,client,core,files,embedded-postgres,console,demo,server,testkit,integration-tests}/{pom.xml,src} \
    -newer "$list" -print -quit)" ]; then
    say 'Building …'
    (cd "$root" && JAVA_HOME=$java_home mvn -q -B -ntp -Dquick -pl integration-tests -am test-compile) >&2
    touch "$list"
  fi
  test_class_path=$root/integration-tests/target/test-classes:$(cat "$list")
}

# run_java MAIN ARGUMENT …: compiles the harness if a source changed, and runs one of its programs.
run_java() {
  local classes=$lab/target/harness main=$1 libraries=$root/cli/target/app/lib/*
  shift
  find_java compiler
  build_server
  # programs that start at the same time fetch and compile once
  mkdir -p "$lab/target"
  exec 8>"$lab/target/harness.lock"
  flock 8
  fetch_webhooks_library
  libraries=$webhooks_library:$libraries
  if [ ! -f "$classes/built" ] || [ -n "$(find "$lab/src/main" "$root/cli/target/app/built" \
    -newer "$classes/built" -print -quit)" ]; then
    rm -rf "$classes"
    mkdir -p "$classes"
    touch "$classes/built"
    # quoted: a path may contain a space
    find "$lab/src/main" -name '*.java' | sed 's/.*/"&"/' >"$classes/sources"
    "$java_home/bin/javac" -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC --release 25 -nowarn -proc:none -parameters -cp "$libraries" -d "$classes" \
      "@$classes/sources" || { rm -f "$classes/built"; exit 1; }
  fi
  exec 8>&-
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
    *[Uu][Tt][Ff]*8*) ;;
    *) export LC_ALL=C.UTF-8 ;;
  esac
  exec "$java_home/bin/java" -Xmx1g -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED \
    "-Dstockroom.home=$root" -cp "$classes:$libraries" "io.stockroom.lab.$main" "$@"
}

# Creates a temporary folder $work; removes it and stops the server at exit.
make_work_folder() {
  work=$(mktemp -d)
  server=
  trap 'clean_up $?' EXIT
}

clean_up() {
  [ "${1:-0}" = 0 ] || tail -n 5 "$work/serve.log" >&2 || true
  [ -z "$server" ] || { kill "$server" 2>/dev/null && wait "$server" 2>/dev/null || true; }
  rm -rf "$work"
}

# free_port: a port that nothing listens on, and neither on the next one, which is the admin port.
free_port() {
  local port
  while :; do
    port=$((20000 + RANDOM % 10000))
    (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null && continue
    (: <"/dev/tcp/127.0.0.1/$((port + 1))") 2>/dev/null && continue
    echo "$port"
    return
  done
}

# Fails if the server ends before it is ready.
start_server() {
  local port
  port=$(free_port)
  base=http://localhost:$port admin_base=http://localhost:$((port + 1))
  say "Starting a server on port $port …"
  "$root/stockroom" serve --port "$port" --data "$work/data" >"$work/serve.out" 2>"$work/serve.log" &
  server=$!
  await_ready "$admin_base" $server
}

# await_ready ADMIN-BASE PROCESS: fails if the server ends before it is ready.
await_ready() {
  # a busy machine may rehearse the start for a minute before
  for _ in $(seq 1 1800); do
    curl -sf "$1/health/ready" >/dev/null 2>&1 && return
    kill -0 "$2" 2>/dev/null || return 1
    sleep 0.1
  done
  return 1
}

# Starts a server on $work/data, waits until it is ready, and sets base, admin_base and psql's variables.
serve() {
  # builds first, so that start_server waits only for the server
  build_server
  # another program may take the port first: then try again, once
  start_server || { grep -q 'is in use' "$work/serve.log" && start_server; } || { cat "$work/serve.log" >&2; exit 1; }
  PGPORT=$(sed -n 4p "$work/data/postgres/postmaster.pid")
  PGPASSWORD=$(cat "$work/data/postgres.password")
  export PGHOST=127.0.0.1 PGPORT PGUSER=stockroom PGDATABASE=stockroom PGPASSWORD
}

# admin PATH CURL-OPTION …: calls the admin API.
admin() {
  local path=$1
  shift
  curl -sSf "$admin_base/admin/$path" -H "Authorization: Bearer $(cat "$work/data/operator.key")" "$@"
}

# field NAME: prints the value of a field in the JSON on stdin.
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }
