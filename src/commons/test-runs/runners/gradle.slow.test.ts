import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../../../../test/harness/cli/processes.ts";
import {
  makeProgram,
  orderFor,
  processesWith,
  testingSandbox,
  untilThere,
} from "../../../../test/harness/commons/testing.ts";
import { put } from "../../../../test/harness/commons/trust.ts";
import { temporaryFolder } from "../../../../test/harness/db/store.ts";
import { faultFolder, testWith } from "../../../../test/harness/faults/faults.ts";
import { detectRunner } from "../project/detect-runner.ts";
import { TestProject } from "../project/test-project.ts";
import { gradle } from "./gradle.ts";

const jars = ["junit4", "hamcrest-core"].map((name) => `'/usr/share/java/${name}.jar'`).join(", ");
const settings = (text: string) => `apply plugin: 'java'\ndependencies { testCompile files(${jars}) }\n${text}`;
const sum = "package shop;\nclass Sum { static int add(int a, int b) { return a + b; } }\n";
const testClass = (name: string, body: string) =>
  `package shop;\nimport org.junit.*;\npublic class ${name} {\n${body}\n}\n`;

/** Two modules; the root's build file speaks for the second. */
const shop = {
  "settings.gradle": "include 'app', 'lib'\n",
  "build.gradle": `project(':lib') {\n${settings("")}}\n`,
  "app/build.gradle": settings(`sourceSets { integrationTest {
  compileClasspath += sourceSets.test.compileClasspath
  runtimeClasspath += sourceSets.test.runtimeClasspath
} }
task integrationTest(type: Test) {
  testClassesDirs = sourceSets.integrationTest.output.classesDirs
  classpath = sourceSets.integrationTest.runtimeClasspath
}
`),
  ".gitignore": "build\n.gradle\n",
  "app/src/main/java/shop/Sum.java": sum,
  "app/src/test/java/shop/SumTest.java": testClass(
    "SumTest",
    `  @Test public void adds() { Assert.assertEquals(2, Sum.add(1, 1)); }
  @Test public void fails() {
    Assert.assertEquals("sums", 3, Sum.add(1, 1));
  }
  @Ignore @Test public void later() {}
  public static class Inner { @Test public void nested() { Assert.fail("inside"); } }`,
  ),
  "app/src/test/java/shop/OtherTest.java": testClass("OtherTest", '  @Test public void other() { Assert.fail("no"); }'),
  "app/src/integrationTest/java/shop/WholeTest.java": testClass("WholeTest", "  @Test public void whole() {}"),
  "lib/src/test/java/shop/LibTest.java": testClass("LibTest", "  @Test public void lib() {}"),
  "lib/src/test/java/shop/OtherTest.java": testClass(
    "OtherTest",
    '\n  @Test public void also() { Assert.fail("no"); }',
  ),
};

const inSumTest = [
  { name: "shop.SumTest$Inner.nested", file: "app/src/test/java/shop/SumTest.java", line: 9 },
  {
    name: "shop.SumTest.fails",
    file: "app/src/test/java/shop/SumTest.java",
    line: 6,
    message: expect.stringContaining("sums"),
  },
];
const inOthers = [
  { name: "shop.OtherTest.other", file: "app/src/test/java/shop/OtherTest.java", line: 4 },
  { name: "shop.OtherTest.also", file: "lib/src/test/java/shop/OtherTest.java", line: 5 },
];

/** Gradle fills it at its first start, which takes seconds. */
const gradleHome = temporaryFolder();

testWith(
  ["gradle"],
  "gradle: every module's results in every run; related, failed, of another set; a wrapper; one that does not compile",
  async () => {
    const { run, project, trustAll } = testingSandbox({ GRADLE_USER_HOME: gradleHome() });
    const root = await project(shop);
    const all = { runner: "gradle", status: "failed", exitCode: 1, total: 7, passed: 2, failed: 4, skipped: 1 };
    const first = await run(root);
    expect(first).toMatchObject({ ...all, origin: { from: "tree" } });
    expect(first.failures).toHaveLength(4);
    expect(first.failures).toEqual(
      expect.arrayContaining([...inSumTest, ...inOthers].map((failure) => expect.objectContaining(failure))),
    );
    const reading = gradle.read(orderFor(root, root));
    for (const line of first.output.split("\n")) reading.line(line);
    expect(reading.progress(), "tests and no tasks").toEqual({ done: 7, failed: 4 });

    makeProgram(`${root}/gradlew`, '#!/bin/sh\necho "by the wrapper"\nexec gradle "$@"\n');
    await expect(run(root)).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
    await trustAll(root);
    const related = await run(root, { scope: "related_to_files", files: ["app/src/main/java/shop/Sum.java"] });
    expect(related).toMatchObject({ total: 4, passed: 1, skipped: 1, failures: inSumTest });
    expect(related.output).toContain("by the wrapper");
    expect(await run(root, { scope: "failed" })).toMatchObject({ total: 6, failed: 4 });

    const passing = ["lib/src/test/java/shop/LibTest.java", "app/src/integrationTest/java/shop/WholeTest.java"];
    const ofBothSets = { scope: "related_to_files", files: passing } as const;
    expect(await run(root, ofBothSets)).toMatchObject({ status: "passed", total: 2, passed: 2 });
    expect(await run(root, ofBothSets), "up to date, and run").toMatchObject({ total: 2, passed: 2 });

    put(root, "app/src/main/java/shop/Sum.java", "package shop;\nclass Sum { int x = true; }\n");
    expect(await run(root, { scope: "related_to_files", files: ["app/src/main/java/shop/Sum.java"] })).toMatchObject({
      status: "failed",
      total: 1,
      failures: [{ name: "javac", message: expect.stringContaining("incompatible types") }],
    });
  },
  300_000,
);

testWith(
  ["gradle"],
  "gradle: results are found where the build puts them, and a class that only its text tells to be a test is one",
  async () => {
    const { run, project, root: sandbox } = testingSandbox({ GRADLE_USER_HOME: gradleHome() });
    const away = join(sandbox, "it's $away");
    const root = await project({
      "settings.gradle": "include 'app', 'lib'\n",
      "app/build.gradle": `buildDir = 'out'\n${settings("test.reports.junitXml.enabled = false\n")}`,
      "lib/build.gradle": settings(
        `test.reports.junitXml.destination = file(new File(${JSON.stringify(away).replace("$", "\\$")}))\n`,
      ),
      "app/src/main/java/shop/Sum.java": sum,
      "app/src/test/java/shop/Checks.java": testClass(
        "Checks",
        "  @Test public void adds() { Assert.assertEquals(2, Sum.add(1, 1)); }",
      ),
      "lib/src/test/java/shop/Checks.java": testClass("Checks", '\n  @Test public void lib() { Assert.fail("no"); }'),
    });
    expect(await run(root)).toMatchObject({
      status: "failed",
      total: 2,
      passed: 1,
      failed: 1,
      failures: [{ name: "shop.Checks.lib", file: "lib/src/test/java/shop/Checks.java", line: 5 }],
    });
    const own = { scope: "related_to_files", files: ["app/src/main/java/shop/Sum.java"] } as const;
    expect((await run(root, own)).command).toContain("shop.Checks");
  },
  300_000,
);

testWith(
  ["gradle", "rootOnLinux"],
  "gradle: cancelled or late, neither the daemon that its settings demand nor what runs the tests goes on",
  async () => {
    const home = faultFolder();
    const { run, project } = testingSandbox({ GRADLE_USER_HOME: home });
    const root = await project({
      "build.gradle": settings(""),
      "gradle.properties": "org.gradle.jvmargs=-Xmx200m\n",
      "src/test/java/shop/SlowTest.java": testClass(
        "SlowTest",
        '  @Test public void slow() throws Exception { new java.io.File("ready").createNewFile(); Thread.sleep(600_000); }',
      ),
    });
    const controller = new AbortController();
    const stopped = expect(run(root, { signal: controller.signal })).rejects.toMatchObject({ code: "CANCELLED" });
    await untilThere(join(root, "ready"), 120_000);
    expect(processesWith(home).length).toBeGreaterThan(2);
    controller.abort();
    await stopped;
    // Killed they are; with so many threads, being gone takes them a moment more.
    await eventually("their end", () => processesWith(home).length === 0);
    await expect(run(root, { deadlineMs: 3_000 })).rejects.toMatchObject({ code: "TIMEOUT" });
    await eventually("their end", () => processesWith(home).length === 0);
  },
  300_000,
);

test.each(["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"])(
  "gradle: %s alone tells it, and a wrapper goes before what is installed",
  async (name) => {
    const { repository } = testingSandbox();
    const root = repository("shop", { [name]: "" });
    expect(await detectRunner(new TestProject(root))).toMatchObject({
      runner: { name: "gradle" },
      runnables: [
        { id: "tests:gradle", command: ["gradle", "test"] },
        { id: `config:${name}`, file: name },
      ],
    });
    makeProgram(join(root, "gradlew"), "#!/bin/sh\n");
    expect(await detectRunner(new TestProject(root))).toMatchObject({
      runnables: [
        { id: "tests:gradle", command: ["./gradlew", "test"] },
        { id: "script:gradlew" },
        { id: `config:${name}` },
      ],
    });
  },
);
