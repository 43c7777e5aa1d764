package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileCommandsTest {
  @TempDir Path folder;

  @Test
  void storesProfilesReadableOnlyByTheirOwner() throws IOException {
    Program.Run run = add("demo");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("profile:       demo", "Commands now use this profile")
        .doesNotContain("s3cret");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
    assertThat(folder.resolve("stockroom").toFile().list()).containsExactly("profiles.json");
  }

  @Test
  void storesProfilesUnderHomeByDefault() {
    Program.Run run =
        Program.plain()
            .with("HOME", folder.toString())
            .run("profile", "add", "a", "--appid=1", "--secret=2", "--token=3");

    assertThat(run.exitCode()).isZero();
    assertThat(folder.resolve(".config/stockroom/profiles.json")).exists();
  }

  @Test
  void rejectsAFileThatOthersCanRead() throws IOException {
    add("demo");
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r-----"));

    Program.Run refused = program().run("profile", "list");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("rw-r-----", "chmod 600");

    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-------"));
    assertThat(program().run("profile", "list").exitCode()).isZero();
  }

  @Test
  void listsUsesAndRemoves() {
    add("demo");
    add("live");

    assertThat(program().run("profile", "list").out())
        .containsPattern("\\* +demo +http://localhost:1 +app_demo")
        .doesNotContain("s3cret", "t0ken");
    assertThat(program().run("profile", "use", "live").out()).isEqualTo("Selected: live\n");
    assertThat(
            program().run("profile", "list", "--json").json().at("/profiles/1/current").asBoolean())
        .isTrue();
    assertThat(program().run("profile", "remove", "live").exitCode()).isZero();
    assertThat(program().run("profile", "list").out()).contains("demo").doesNotContain("live", "*");
    program().run("profile", "remove", "demo");
    assertThat(program().run("profile", "list").out()).contains("There are no profiles");
  }

  @Test
  void rejectsUnknownAndExistingNames() {
    add("demo");

    assertThat(program().run("profile", "use", "dmeo").err()).contains("did you mean 'demo'?");
    Program.Run again = add("demo");
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).contains("--replace");
    assertThat(program().run("profile", "add", "no/name").err()).contains("is not a profile name");
    assertThat(program().run("profile", "add", "empty").err())
        .contains("cannot be signed without --appid");
  }

  @Test
  void rejectsADamagedFile() throws IOException {
    add("demo");
    Files.writeString(file(), "{");

    assertThat(program().run("profile", "list").err()).contains("is damaged");
  }

  @Test
  void namedProfileWinsOverGivenCredentialsWhichWinOverTheCurrentProfile() {
    add("demo");
    add("live");

    String demo = sign(program());
    String live = sign(program(), "--profile=live");
    assertThat(demo).isEqualTo(sign(Program.plain(), "--secret=s3cret-demo"));
    assertThat(live).isEqualTo(sign(Program.plain(), "--secret=s3cret-live"));
    assertThat(sign(program().with("STOCKROOM_SECRET", "other")))
        .isEqualTo(sign(Program.plain(), "--secret=other"));
    assertThat(sign(program().with("STOCKROOM_SECRET", "other"), "--profile=live")).isEqualTo(live);
    assertThat(sign(program(), "--profile=live", "--secret=other"))
        .isEqualTo(sign(Program.plain(), "--secret=other"));
  }

  @Test
  void aCallGoesToTheServerOfTheProfileWithItsCredentials() {
    add("demo");

    Program.Run run = program().run("call", "/Usage");
    assertThat(run.err()).contains("http://localhost:1");
    Program.Run mixed = program().with("STOCKROOM_APPID", "app_other").run("call", "/Usage");
    assertThat(mixed.exitCode()).isEqualTo(2);
    assertThat(mixed.err())
        .as("credentials of two sources do not mix")
        .contains("cannot be signed without --secret");
  }

  private static String sign(Program program, String... options) {
    String[] arguments = new String[options.length + 2];
    arguments[0] = "sign";
    arguments[1] = "--timestamp=1700000000";
    System.arraycopy(options, 0, arguments, 2, options.length);
    Program.Run run = program.run(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  private Program.Run add(String name) {
    return program()
        .run(
            "profile",
            "add",
            name,
            "--server=http://localhost:1",
            "--appid=app_" + name,
            "--secret=s3cret-" + name,
            "--token=t0ken-" + name);
  }

  private Program program() {
    return Program.plain().with("XDG_CONFIG_HOME", folder.toString());
  }

  private Path file() {
    return folder.resolve("stockroom/profiles.json");
  }
}
