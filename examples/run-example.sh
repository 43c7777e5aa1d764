# Sourced by the run scripts of the examples: run_example MAIN-CLASS [DEMO-DATA-FOLDER]
#
# Publishes the SDK into a folder, builds the example with it like any other program, and runs it against a
# server. STOCKROOM_SERVER, STOCKROOM_APPID, STOCKROOM_SECRET and STOCKROOM_TOKEN select the server and the
# credentials; without them it uses the running ./stockroom demo. If you started the demo with --data DIR,
# pass DIR.
here=$(dirname "$(readlink -f "$0")")
root=$(dirname "$(dirname "$here")")
. "$root/.mvn/find-jdk.sh"

# Publishes the SDK into examples/target/repository, unless that is newer than its sources.
publish_sdk() {
  local folder=$root/examples/target
  [ -f "$folder/published" ] &&
    [ -z "$(find "$root/pom.xml" "$root"/{protocol,client}/{pom.xml,src/main} -newer "$folder/published" -print -quit)" ] && return
  echo 'Publishing the SDK into examples/target/repository …' >&2
  rm -rf "$folder" && mkdir "$folder" && touch "$folder/publishing"
  (cd "$root" && mvn -B -q -ntp -Dquick -Dmaven.test.skip=true -Dmaven.install.skip=true -pl protocol,client -am deploy \
    "-DaltDeploymentRepository=stockroom::file:$folder/repository")
  mv "$folder/publishing" "$folder/published"
}

run_example() {
  local main=$1 demo=${2:-$root/data-demo}/demo.json repository

  # Prints a text field of the demo's JSON file.
  demo_field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "$demo" | head -n 1; }

  if [ -z "${STOCKROOM_APPID:-}" ]; then
    if [ ! -r "$demo" ]; then
      echo "Start ./stockroom demo in another terminal first, or set STOCKROOM_SERVER," >&2
      echo 'STOCKROOM_APPID, STOCKROOM_SECRET and STOCKROOM_TOKEN.' >&2
      exit 2
    fi
    STOCKROOM_SERVER=${STOCKROOM_SERVER:-$(demo_field url)}
    STOCKROOM_APPID=$(demo_field appid)
    STOCKROOM_SECRET=$(demo_field secret)
    STOCKROOM_TOKEN=$(demo_field accesstoken)
    export STOCKROOM_SERVER STOCKROOM_APPID STOCKROOM_SECRET STOCKROOM_TOKEN
  fi

  find_java compiler || exit 1
  export JAVA_HOME=$java_home
  # avoids warnings of a new JDK about an older Maven
  export MAVEN_OPTS="${MAVEN_OPTS:-} --sun-misc-unsafe-memory-access=allow"
  repository=file:$root/examples/target/repository
  rm -rf "$here/target"
  publish_sdk
  echo 'Building the example with it …' >&2
  # -U: Maven may have cached a snapshot of an earlier run
  (cd "$here" && mvn -B -q -ntp -U process-classes "-Dstockroom.repository=$repository")
  exec "${EXAMPLE_JAVA:-$JAVA_HOME/bin/java}" -cp "$here/target/classes:$here/target/libraries/*" "$main"
}
