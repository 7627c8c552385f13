import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { writeFiles } from "../../../../test/harness/git/git.ts";
import { cargo, infoOf, projectOf } from "../../../../test/harness/rooms/workbench/workbench-project.ts";

it("answers for a backend with a frontend in subfolders as the specification shows", async () => {
  const project = projectOf({
    "Cargo.toml": cargo("forge", "actix-web", "serde", "tokio"),
    "src/main.rs": "fn main() {}\n",
    "src/auth.rs": "",
    "src/models.rs": "",
    "frontend/package.json": JSON.stringify({
      name: "forge-frontend",
      dependencies: { react: "18", "react-dom": "18" },
      devDependencies: { vitest: "1" },
      scripts: { build: "vite build", test: "vitest run" },
    }),
    "frontend/yarn.lock": "",
    "frontend/src/index.jsx": "",
    "README.md": "# Forge\n",
  });
  expect(await infoOf(project)).toEqual({
    project: {
      name: "forge",
      type: "rust",
      root_directory: project.folder,
      architecture: "actix-web backend + react frontend",
      current_branch: "main",
      git_status: "clean",
      dependencies: ["actix-web", "serde", "tokio", "react", "react-dom"],
      dev_dependencies: ["vitest"],
      test_framework: "cargo test",
      build_command: "cargo build",
      components: [
        { path: ".", type: "rust", test_framework: "cargo test", build_command: "cargo build" },
        { path: "frontend", type: "javascript", test_framework: "vitest", build_command: "yarn run build" },
      ],
    },
    statistics: {
      total_files: 8,
      rust_files: 3,
      js_files: 1,
      json_files: 1,
      markdown_files: 1,
      toml_files: 1,
      total_blocks: 8,
      total_tasks: 24,
      completed_tasks: 18,
    },
  });
});

it("names the folder in the command where the main part is not at the root, unless a shell could misread it", async () => {
  const plain = projectOf({ "server/Cargo.toml": cargo("s", "axum"), "server/src/main.rs": "" });
  expect((await infoOf(plain)).project.build_command).toBe("cd server && cargo build");
  const odd = projectOf({ "a;rm -rf x/Cargo.toml": cargo("s"), "a;rm -rf x/src/main.rs": "" });
  expect((await infoOf(odd)).project.build_command).toBe("cargo build");
});

it("tells how git stands, and leaves out what is not asked for", async () => {
  const project = projectOf({ "a.py": "1\n", "b.py": "1\n", "c.py": "1\n" });
  writeFiles(project.folder, { "a.py": "2\n", "b.py": "2\n", "new.py": "", "new2.py": "" });
  project.run("add", "b.py");
  writeFiles(project.folder, { "b.py": "3\n" });
  project.remove("c.py");
  expect((await infoOf(project)).project.git_status).toBe("3 modified, 2 untracked");
  project.run("checkout", "--quiet", "--detach");
  expect((await infoOf(project)).project.current_branch).toMatch(/^HEAD detached at [0-9a-f]{12}$/);
  const bare = await infoOf(project, { git: false, stats: false });
  expect(bare.project).not.toHaveProperty("git_status");
  expect(bare.project).not.toHaveProperty("current_branch");
  expect(bare).not.toHaveProperty("statistics");
});

it("counts what git tracks and nothing else", async () => {
  const project = projectOf({ "a.ts": "", "node_modules/x/b.js": "", ".hidden/c.ts": "" });
  writeFiles(project.folder, { "untracked.ts": "" });
  const { statistics } = await infoOf(project);
  expect(statistics).toMatchObject({ total_files: 3, ts_files: 2, js_files: 1 });
});

it("counts an unmerged file once, and a submodule as no file", async () => {
  const project = projectOf({ "a.py": "1\n" });
  project.run("checkout", "--quiet", "-b", "other");
  project.put("a.py", "2\n");
  project.run("commit", "--quiet", "--all", "--message", "two");
  project.run("checkout", "--quiet", "main");
  project.put("a.py", "3\n");
  project.run("commit", "--quiet", "--all", "--message", "three");
  expect(() => project.run("merge", "other")).toThrow();
  project.run("update-index", "--add", "--cacheinfo", `160000,${project.run("rev-parse", "HEAD").trim()},sub`);
  expect(project.run("ls-files").trim().split("\n")).toEqual(["a.py", "a.py", "a.py", "sub"]);
  expect((await infoOf(project)).statistics).toMatchObject({ total_files: 1, py_files: 1 });
});

it("sees manifests at the root before they are tracked, and works in a part of a repository", async () => {
  const project = projectOf({ "part/src/lib.rs": "", "other/a.go": "", "go.mod": "module x\n" });
  writeFiles(project.folder, { "part/Cargo.toml": cargo("part") });
  const info = await infoOf({ git: project.git, folder: join(project.folder, "part") });
  expect(info.project).toMatchObject({ name: "part", type: "rust", architecture: "rust library" });
  expect(info.statistics).toMatchObject({ total_files: 1, rust_files: 1 });
});

it("works before the first commit and outside a repository", async () => {
  const project = projectOf({});
  expect((await infoOf(project)).project).toMatchObject({ name: "project", type: "unknown", current_branch: "main" });
  const folder = join(project.sandbox.root, "plain");
  writeFiles(folder, { "package.json": '{"name":"loose"}', "src/a.ts": "", "node_modules/b/c.js": "" });
  const info = await infoOf({ git: project.git, folder });
  expect(info.project).toMatchObject({ name: "loose", type: "typescript", git_status: "not a git repository" });
  expect(info.statistics).toMatchObject({ total_files: 2, ts_files: 1 });
  expect(info.warnings).toHaveLength(1);
});

describe("manifests that mean no good", () => {
  const broken: [name: string, path: string, text: string | Buffer, warning: string][] = [
    ["no JSON", "package.json", '{"name": ', "is not valid JSON"],
    ["JSON of another kind", "package.json", "[1, 2]", "is not a JSON object"],
    ["no TOML", "Cargo.toml", "[package\nname", "is not valid TOML (line 1)"],
    ["TOML as deep as a well", "pyproject.toml", `a = ${"[".repeat(5_000)}`, "is not valid TOML"],
    ["no XML", "pom.xml", "<project><a></project>", "is not the XML of a Maven project"],
    ["XML with entities", "pom.xml", '<!DOCTYPE a [<!ENTITY b "c">]><project>&b;</project>', "is not the XML"],
    ["no text", "package.json", Buffer.from([0xff, 0xfe, 0x00, 0x41]), "Only UTF-8 text"],
    ["huge", "package.json", `{"name": "${"x".repeat(600_000)}"}`, "the limit is 524288"],
  ];
  test.each(broken)("%s becomes a warning", async (_name, path, text, warning) => {
    const project = projectOf({ "go.mod": "module fine\n", "a.go": "" });
    project.put(path, text);
    const info = await infoOf(project);
    expect(info.project).toMatchObject({ name: "fine", type: "go" });
    expect(info.warnings).toEqual([expect.stringContaining(warning)]);
  });

  it("values of the wrong kind are passed over", async () => {
    const odd = {
      name: 5,
      dependencies: ["a"],
      devDependencies: null,
      workspaces: { packages: [1, "{", "x/*"] },
      scripts: "no",
      bin: [],
    };
    const project = projectOf({
      "package.json": JSON.stringify(odd),
      "Cargo.toml": "package = 1\ndependencies = [2]\n",
      "a.js": "",
    });
    const info = await infoOf(project);
    expect(info.project).toMatchObject({ name: "project", type: "javascript", dependencies: [] });
    expect(info.warnings).toBeUndefined();
  });

  it("names of a prototype's own are names like others", async () => {
    const project = projectOf({ "package.json": '{"name":"p","dependencies":{"__proto__":"1","constructor":"2"}}' });
    expect((await infoOf(project)).project.dependencies).toEqual(["__proto__", "constructor"]);
  });

  it("text that hides is shown as what it is, and lists are bounded", async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`d${index}`, "1"]));
    const project = projectOf({ "package.json": JSON.stringify({ name: "a\u202eb\n# c", dependencies: many }) });
    const { name, dependencies, dependencies_omitted } = (await infoOf(project)).project;
    expect(name).toBe("a\\u202eb\\n# c");
    expect(dependencies).toHaveLength(60);
    expect(dependencies_omitted).toBe(440);
  });

  it("a link out of the project is not followed", async () => {
    const project = projectOf({ "a.js": "" });
    const outside = join(project.sandbox.root, "outside.json");
    writeFiles(project.sandbox.root, { "outside.json": '{"name":"secret-name"}' });
    project.link("package.json", outside);
    project.link("up", "..");
    project.run("add", "--all");
    const info = await infoOf(project);
    expect(info.project.name).toBe("project");
    expect(JSON.stringify(info)).not.toContain("secret-name");
    expect(info.warnings).toEqual([expect.stringContaining("leads outside the project")]);
  });

  it("more packages than anybody has are counted out, not read", async () => {
    const files = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`p/${index}/package.json`, "{}"]));
    const info = await infoOf(projectOf(files));
    expect(info.project.components).toHaveLength(30);
    expect(info.project.components_omitted).toBe(120);
    expect(info.warnings).toEqual(["250 more manifests were not read."]);
  });
});
