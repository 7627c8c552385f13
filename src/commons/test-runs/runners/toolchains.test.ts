import { expect } from "vitest";
import {
  debianFirst,
  makeProgram,
  testingSandbox,
  virtualEnvironment,
} from "../../../../test/harness/commons/testing.ts";
import { filesBelow } from "../../../../test/harness/commons/trust.ts";
import { testWith } from "../../../../test/harness/faults/faults.ts";

testWith(
  ["pytest"],
  "pytest: counts, classes, parameters, a set-up that fails; related, failed, nothing related",
  async () => {
    const { run, project } = testingSandbox();
    const root = await project({
      "pytest.ini": "[pytest]\n",
      "shop/__init__.py": "",
      "shop/sums.py": "def add(a, b):\n    return a + b\n",
      "shop/lone.py": "x = 1\n",
      "tests/test_more.py": `import pytest
from shop.sums import add


def test_adds():
    assert add(1, 1) == 2


class TestMore:
    def test_fails(self):
        assert add(1, 1) == 3, "sums"


@pytest.fixture
def bad():
    raise RuntimeError("set-up")


def test_setup(bad):
    pass


@pytest.mark.parametrize("n", [1, 2])
def test_param(n):
    assert n == 1


@pytest.mark.skip
def test_later():
    pass
`,
      "tests/integration/test_other.py": "def test_other():\n    pass\n",
    });
    const failures = [
      { name: "TestMore::test_fails", file: "tests/test_more.py", line: 11, message: expect.stringContaining("sums") },
      { name: "test_setup", file: "tests/test_more.py" },
      { name: "test_param[2]", file: "tests/test_more.py", line: 25 },
    ];
    expect(await run(root)).toMatchObject({
      runner: "pytest",
      status: "failed",
      total: 7,
      passed: 3,
      failed: 3,
      skipped: 1,
      failures,
    });
    expect(await run(root, { scope: "related_to_files", files: ["shop/sums.py"] })).toMatchObject({
      total: 6,
      failures,
    });
    expect(await run(root, { scope: "failed" })).toMatchObject({ total: 6, failed: 3 });
    expect(await run(root, { scope: "related_to_files", files: ["shop/lone.py"] })).toMatchObject({
      status: "passed",
      total: 0,
      command: [],
      notes: [expect.stringContaining("no tests")],
    });
    expect(await run(root, { types: ["integration"] })).toMatchObject({ status: "passed", total: 1 });
  },
);

testWith(["pytest"], "pytest: where its tests are deeper, and what to do where it is not installed", async () => {
  const { run, project, trustAll } = testingSandbox();
  const deep = {
    "tests/unit/test_a.py": "def test_a():\n    pass\n",
    "shop/tests/test_b.py": "def test_b():\n    pass\n",
  };
  const root = await project({ ...deep, "requirements-dev.txt": "pytest\n" });
  expect(await run(root)).toMatchObject({ runner: "pytest", status: "passed", total: 2 });
  virtualEnvironment(root, () => false);
  await trustAll(root);
  for (const coverage of [false, true])
    await expect(run(root, { coverage })).rejects.toMatchObject({
      code: "DEPENDENCY_ERROR",
      message: expect.stringContaining("pytest is not installed for .venv/bin/python"),
      next: expect.arrayContaining([expect.stringContaining("-m pip install pytest")]),
    });
});

const measured = {
  "pytest.ini": "[pytest]\n",
  "shop/__init__.py": "",
  "shop/sums.py": "def add(a, b):\n    return a + b\n\n\ndef never():\n    return 0\n",
  "tests/test_sums.py": "from shop.sums import add\n\n\ndef test_adds():\n    assert add(1, 1) == 2\n",
};

testWith(["pytestCov"], "pytest: coverage, of which nothing is left in the project", async () => {
  const { run, project } = testingSandbox(debianFirst);
  const root = await project(measured);
  const outcome = await run(root, { coverage: true });
  expect(outcome).toMatchObject({ status: "passed", total: 1, notes: [] });
  expect(outcome.coverage).toEqual({ lines_covered: 6, total_lines: 7, percentage: 85.7 });
  expect(filesBelow(root).filter((name) => /cov/.test(name) && !name.includes(".git/"))).toEqual([]);
  const related = { coverage: true, scope: "related_to_files", files: ["shop/sums.py"] } as const;
  expect(await run(root, related)).toMatchObject({ total: 1, coverage: { total_lines: 7 } });
  expect((await run(root)).coverage).toBeUndefined();
  const said = await project({ ...measured, ".coveragerc": "[run]\nsource = shop\n" }, "said");
  expect((await run(said, { coverage: true })).coverage).toEqual({ lines_covered: 3, total_lines: 4, percentage: 75 });
});

testWith(
  ["pytestCov"],
  "pytest: without its plugin no coverage is measured, and the tests run all the same",
  async () => {
    const { run, project, trustAll } = testingSandbox(debianFirst);
    const root = await project(measured);
    virtualEnvironment(root, (name) => !/^pytest[_-]cov/i.test(name));
    await trustAll(root);
    const outcome = await run(root, { coverage: true });
    expect(outcome).toMatchObject({ status: "passed", total: 1, notes: [expect.stringContaining("pytest-cov")] });
    expect(outcome.command[0]).toBe(`${root}/.venv/bin/python`);
    expect(outcome.coverage).toBeUndefined();
  },
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
  300_000,
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

const plugin = (name: string, version: string) =>
  `<plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-${name}-plugin</artifactId><version>${version}</version></plugin>`;
const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version><scope>test</scope></dependency></dependencies>
<build><plugins>${plugin("resources", "2.6")}${plugin("compiler", "3.1")}${plugin("surefire", "2.12.4")}</plugins></build></project>
`;

testWith(
  ["maven"],
  "maven: reports of this run, the class's file and line; related",
  async () => {
    const { run, project, root: folder, trustAll } = testingSandbox();
    const settings = `<settings><localRepository>${folder}/m2</localRepository><mirrors><mirror><id>debian</id><mirrorOf>*</mirrorOf><url>file:///usr/share/maven-repo</url></mirror></mirrors></settings>`;
    const root = await project({
      "pom.xml": pom,
      ".mvn/maven.config": "--settings\nsettings.xml\n",
      "settings.xml": settings,
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
  300_000,
);
