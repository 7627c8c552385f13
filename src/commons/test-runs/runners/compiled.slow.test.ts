import { dirname, join } from "node:path";
import { expect } from "vitest";
import {
  configuredTest,
  elsewhere,
  makeProgram,
  patienceMs,
  testingSandbox,
  withWorkTree,
} from "../../../../test/harness/commons/testing.ts";
import { put } from "../../../../test/harness/commons/trust.ts";
import { testWith } from "../../../../test/harness/faults/faults.ts";

/** Debian's packages, with nothing from the network. */
const debianMaven = (folder: string) => ({
  ".mvn/maven.config": "--settings\nsettings.xml\n",
  "settings.xml": `<settings><localRepository>${folder}</localRepository><mirrors><mirror><id>debian</id><mirrorOf>*</mirrorOf><url>file:///usr/share/maven-repo</url></mirror></mirrors></settings>`,
});

const plugin = (name: string, version: string) =>
  `<plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-${name}-plugin</artifactId><version>${version}</version></plugin>`;
const pom = (inner: string) =>
  `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>${inner}</project>\n`;
const shop = (inner: string) =>
  pom(
    `<groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>${inner}<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties><build><plugins>${plugin("resources", "2.6")}${plugin("compiler", "3.1")}${plugin("surefire", "2.12.4")}</plugins></build>`,
  );
const junit =
  "<dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version><scope>test</scope></dependency>";
const child = (name: string, dependencies: string) =>
  pom(
    `<parent><groupId>shop</groupId><artifactId>shop</artifactId><version>1</version></parent><artifactId>${name}</artifactId><dependencies>${dependencies}</dependencies>`,
  );

testWith(
  ["cargo"],
  "cargo: unit, integration and documentation tests; related, failed; one that does not compile",
  async () => {
    const { run, project } = testingSandbox();
    const files = {
      "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
      ".gitignore": "target\n",
      "src/lib.rs": "pub mod other;\npub mod sums;\n",
      "src/other.rs": "#[test]\nfn other() {}\n",
      "src/sums.rs": `/// \`\`\`
/// assert_eq!(shop::sums::add(1, 1), 2);
/// \`\`\`
pub fn add(a: i32, b: i32) -> i32 { a + b }
#[cfg(test)]
mod tests {
    #[test]
    fn adds() { assert_eq!(super::add(1, 1), 2); }
    #[test]
    fn fails() { assert_eq!(super::add(1, 1), 3, "of one and one"); }
    #[test]
    #[ignore]
    fn later() {}
}
`,
      "tests/whole.rs": '#[test]\nfn breaks() {\n    panic!("no\\nway");\n}\n',
    };
    const root = await project(files);
    const unit = {
      name: "sums::tests::fails",
      file: "src/sums.rs",
      line: 10,
      message: expect.stringContaining("of one and one"),
    };
    const whole = { name: "breaks", file: "tests/whole.rs", line: 3, message: expect.stringContaining("way") };
    expect(await run(root)).toMatchObject({
      runner: "cargo",
      status: "failed",
      total: 6,
      passed: 3,
      failed: 2,
      skipped: 1,
      failures: [unit, whole],
      notes: [expect.stringContaining("cargo's output")],
    });
    expect(await run(root, { scope: "failed" })).toMatchObject({ total: 2, failed: 2, failures: [unit, whole] });
    expect(await run(root, { scope: "related_to_files", files: ["src/sums.rs"] })).toMatchObject({
      total: 3,
      failures: [unit],
    });
    expect(await run(root, { types: ["integration"] })).toMatchObject({ total: 1, failures: [whole] });
    expect(await run(root, { types: ["unit"] })).toMatchObject({ total: 4, failures: [unit] });
    const broken = await project({ ...files, "src/lib.rs": "pub fn x() -> i32 { true }\n" }, "broken");
    expect(await run(broken)).toMatchObject({
      status: "failed",
      exitCode: 101,
      total: 1,
      failures: [{ name: "E0308", file: "src/lib.rs", line: 1, message: "mismatched types", type: "compile_error" }],
    });
  },
  patienceMs,
);

testWith(["go"], "go: subtests, packages that do not build; related, failed, coverage", async () => {
  const { run, project } = testingSandbox();
  const root = await project({
    "go.mod": "module example.org/shop\n\ngo 1.19\n",
    "sums/sums.go": "package sums\n\nfunc Add(a, b int) int { return a + b }\n",
    "sums/sums_test.go": `package sums

import "testing"

func TestAdds(t *testing.T) {
	if Add(1, 1) != 2 {
		t.Fatal("no")
	}
}

func TestFails(t *testing.T) {
	t.Run("one and one", func(t *testing.T) { t.Errorf("got %d, né", Add(1, 1)) })
	t.Run("fine", func(t *testing.T) {})
}

func TestLater(t *testing.T) { t.Skip("later") }
`,
    "other/other_test.go": 'package other\n\nimport "testing"\n\nfunc TestOther(t *testing.T) {}\n',
    "broken/broken_test.go": 'package broken\n\nimport "testing"\n\nfunc TestX(t *testing.T) { return 1 }\n',
  });
  const failing = {
    name: "TestFails/one_and_one",
    file: "sums/sums_test.go",
    line: 12,
    message: expect.stringContaining("got 2, né"),
  };
  const outcome = await run(root, { coverage: true });
  expect(outcome).toMatchObject({
    runner: "go",
    status: "failed",
    total: 6,
    passed: 3,
    failed: 2,
    skipped: 1,
    failures: [
      failing,
      { name: "example.org/shop/broken", message: expect.stringContaining("too many return values") },
    ],
    coverage: { lines_covered: 1, total_lines: 1, percentage: 100 },
  });
  expect(outcome.output).toContain("--- FAIL: TestFails/one_and_one");
  expect(await run(root, { scope: "related_to_files", files: ["sums/sums.go"] })).toMatchObject({
    total: 4,
    failures: [failing],
  });
  // The package that does not build has no file to its name, and was in neither run since.
  expect(await run(root, { scope: "failed" })).toMatchObject({ total: 6, failed: 2 });
});

testWith(
  ["maven"],
  "maven: reports of this run, the class's file and line; related",
  async () => {
    const { run, project, root: folder, trustAll } = testingSandbox();
    const root = await project({
      "pom.xml": shop(`<dependencies>${junit}</dependencies>`),
      ...debianMaven(join(folder, "m2")),
      "src/main/java/shop/Sum.java": "package shop;\nclass Sum { static int add(int a, int b) { return a + b; } }\n",
      "src/test/java/shop/SumTest.java": `package shop;
import org.junit.*;
public class SumTest {
  @Test public void adds() { Assert.assertEquals(2, Sum.add(1, 1)); }
  @Test public void fails() {
    Assert.assertEquals("sums", 3, Sum.add(1, 1));
  }
  @Ignore @Test public void later() {}
}
`,
      "src/test/java/shop/OtherTest.java":
        "package shop;\nimport org.junit.*;\npublic class OtherTest { @Test public void other() {} }\n",
    });
    const failures = [
      {
        name: "shop.SumTest.fails",
        file: "src/test/java/shop/SumTest.java",
        line: 6,
        message: expect.stringContaining("sums"),
      },
    ];
    expect(await run(root)).toMatchObject({
      runner: "maven",
      status: "failed",
      total: 4,
      passed: 2,
      failed: 1,
      skipped: 1,
      failures,
    });
    const source = "src/main/java/shop/Sum.java";
    expect(await run(root, { scope: "related_to_files", files: [source] })).toMatchObject({ total: 3, failures });
    makeProgram(`${root}/mvnw`, '#!/bin/sh\nexec mvn "$@"\n');
    await expect(run(root)).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
    await trustAll(root);
    const other = "src/test/java/shop/OtherTest.java";
    expect(await run(root, { scope: "related_to_files", files: [other] })).toMatchObject({
      status: "passed",
      total: 1,
    });
  },
  patienceMs,
);

testWith(
  ["cargo"],
  "cargo: work trees do not share a target folder, whatever the environment says",
  async () => {
    const { main, tree, run, root } = await withWorkTree(
      {
        ".gitignore": "target\nCargo.lock\n",
        "Cargo.toml": '[workspace]\nmembers = ["sums"]\nresolver = "2"\n',
        "sums/Cargo.toml": '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n',
        "sums/src/lib.rs": "pub fn answer() -> i32 { 42 }\n#[test]\nfn answers() { assert_eq!(answer(), 42); }\n",
      },
      { CARGO_TARGET_DIR: join(process.cwd(), "node_modules/.forge-no-such-target") },
    );
    expect(root).not.toBe("");
    expect(await run(main)).toMatchObject({ status: "passed", origin: { from: "tree" } });
    put(
      tree,
      "sums/src/lib.rs",
      "pub fn answer() -> i32 { 41 }\n#[test]\nfn answers() { assert_eq!(answer(), 42); }\n",
    );
    const outcome = await run(tree);
    expect(outcome).toMatchObject({ status: "failed", origin: { from: "tree" }, passed: 0 });
    expect(outcome.command).toContain(join(tree, "target"));
  },
  patienceMs,
);

testWith(
  ["go"],
  "go: a replace directive with an absolute path tests the other folder",
  async () => {
    const { main, tree, run } = await withWorkTree({
      "go.mod": "module example.org/shop\n\ngo 1.18\n",
      "sums.go": "package shop\n\nfunc Add(a, b int) int { return a + b }\n",
      "sums_test.go":
        'package shop\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 1) != 2 {\n\t\tt.Fatal("sums")\n\t}\n}\n',
      "inner/go.mod": "module example.org/inner\n\ngo 1.18\n",
      "inner/inner.go": "package inner\n\nconst One = 1\n",
    });
    expect(await run(tree)).toMatchObject({ status: "passed", origin: { from: "tree" } });
    put(
      tree,
      "go.mod",
      `module example.org/shop\n\ngo 1.18\n\nrequire example.org/inner v0.0.0\n\nreplace example.org/inner => ${main}/inner\n`,
    );
    put(
      tree,
      "sums.go",
      'package shop\n\nimport "example.org/inner"\n\nfunc Add(a, b int) int { return a + b*inner.One }\n',
    );
    expect(await run(tree)).toMatchObject(elsewhere);
  },
  patienceMs,
);

testWith(
  ["maven"],
  "maven with several modules: a sibling is taken from the work tree, and the class path shows it",
  async () => {
    const sum = (sign: string) =>
      `package sums;\npublic class Sum { public static int add(int a, int b) { return a ${sign} b; } }\n`;
    const { main, tree, run, trustAll } = await withWorkTree({
      ".gitignore": "target\n.mvn\nsettings.xml\n",
      "pom.xml": shop("<packaging>pom</packaging><modules><module>sums</module><module>app</module></modules>"),
      "sums/pom.xml": child("sums", ""),
      "sums/src/main/java/sums/Sum.java": sum("+"),
      "app/pom.xml": child(
        "app",
        `<dependency><groupId>shop</groupId><artifactId>sums</artifactId><version>1</version></dependency>${junit}`,
      ),
      "app/src/test/java/app/AppTest.java":
        "package app;\nimport org.junit.*;\npublic class AppTest { @Test public void adds() { Assert.assertEquals(3, sums.Sum.add(1, 2)); } }\n",
    });
    for (const [path, text] of Object.entries(debianMaven(join(dirname(main), "m2")))) put(tree, path, text);
    await trustAll(tree);
    expect(await run(tree)).toMatchObject({ runner: "maven", status: "passed", passed: 1, origin: { from: "tree" } });
    put(tree, "sums/src/main/java/sums/Sum.java", sum("-"));
    expect(await run(tree)).toMatchObject({ status: "failed", failed: 1, origin: { from: "tree" } });
    put(tree, "sums/src/main/java/sums/Sum.java", sum("+"));
    put(main, "sums/src/main/java/sums/Sum.java", sum("-"));
    expect(await run(tree)).toMatchObject({ status: "passed", origin: { from: "tree" } });
  },
  patienceMs,
);

testWith(
  ["go"],
  "go: a configured command that names go test is asked where its code came from",
  async () => {
    const { project, run } = testingSandbox();
    const root = await project({
      "go.mod": "module example.org/shop\n\ngo 1.18\n",
      "sums.go": "package shop\n\nfunc Add(a, b int) int { return a + b }\n",
      "sums_test.go": 'package shop\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) { Add(1, 1) }\n',
      ...configuredTest("go", "test", "./..."),
    });
    expect(await run(root)).toMatchObject({ status: "passed", origin: { from: "tree" } });
  },
  patienceMs,
);
