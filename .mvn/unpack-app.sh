# Unpacks the built program; sourced by ./stockroom and ./verify.
# shellcheck shell=bash disable=SC2154

# unpack_app <folder>: the folder holds the file "built", whose time is that of the build's start, and
# becomes cli/target/app. Unpacked, the program starts without reading jars inside a jar.
unpack_app() {
  "$java_home/bin/java" -Djarmode=tools -jar "$root/cli/target/stockroom.jar" \
    extract --force --destination "$1/files" || return
  mv "$1/files"/* "$1" && rmdir "$1/files" && rm -rf "$root/cli/target/app" && mv "$1" "$root/cli/target/app"
}
