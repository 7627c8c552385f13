import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { writeFiles } from "../../../../test/harness/git.ts";
import { projectOf } from "../../../../test/harness/workbench-project.ts";
import { projectInfo } from "./project-info.ts";

const { signal } = new AbortController();
const totals = async () => ({
  blocks: 8,
  tasks: 24,
  byStatus: { pending: 4, in_progress: 1, completed: 18, failed: 1 },
});

type Project = Pick<ReturnType<typeof projectOf>, "git" | "folder">;

function infoOf({ git, folder }: Project, options: { git?: boolean; stats?: boolean } = {}) {
  const services = { git, projectRoot: folder, board: { totals } };
  return projectInfo(services, { git: true, stats: true, signal, ...options });
}

const cargo = (name: string, ...dependencies: string[]) =>
  `[package]\nname = "${name}"\nversion = "0.1.0"\n\n[dependencies]\n${dependencies.map((one) => `${one} = "1"\n`).join("")}`;

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
      dependencies: ["actix-web", "serde", "tokio", "react", "react-dom", "vitest"],
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

describe("one language", () => {
  const kinds: [name: string, files: Record<string, string>, expected: Record<string, unknown>][] = [
    [
      "TypeScript with pnpm",
      {
        "package.json": JSON.stringify({
          name: "@acme/api",
          dependencies: { fastify: "5", zod: "4" },
          devDependencies: { typescript: "5", jest: "29" },
          scripts: { build: "tsc", test: "tsc && jest --ci" },
        }),
        "pnpm-lock.yaml": "",
        "src/a.ts": "",
        "src/b.ts": "",
        "x.config.js": "",
      },
      {
        name: "@acme/api",
        type: "typescript",
        architecture: "fastify backend",
        dependencies: ["fastify", "zod", "typescript", "jest"],
        test_framework: "jest",
        build_command: "pnpm run build",
      },
    ],
    [
      "JavaScript, a command line tool tested with Node",
      {
        "package.json": JSON.stringify({ name: "tool", bin: "cli.js", scripts: { test: "node --test" } }),
        "cli.js": "",
      },
      { type: "javascript", architecture: "javascript CLI", test_framework: "node:test", dependencies: [] },
    ],
    [
      "Python with pyproject.toml",
      {
        "pyproject.toml":
          '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n[project]\nname = "shop"\ndependencies = ["fastapi>=0.1", "pydantic[email] ~= 2.0; python_version > \'3.8\'"]\n[dependency-groups]\ndev = ["pytest>=8"]\n',
        "src/shop/app.py": "",
      },
      {
        name: "shop",
        type: "python",
        architecture: "fastapi backend",
        dependencies: ["fastapi", "pydantic", "pytest"],
        test_framework: "pytest",
        build_command: "hatch build",
      },
    ],
    [
      "Python with poetry",
      {
        "pyproject.toml":
          '[tool.poetry]\nname = "p"\n[tool.poetry.dependencies]\npython = "^3.12"\nflask = "*"\n[tool.poetry.group.dev.dependencies]\nblack = "*"\n',
        "p/a.py": "",
        "tests/test_a.py": "",
      },
      { dependencies: ["flask", "black"], test_framework: "pytest", build_command: "poetry build" },
    ],
    [
      "Python with requirements and setup.cfg",
      {
        "requirements.txt": "# web\nDjango==5.0\n-r other.txt\ngit+https://x.org/y.git#egg=why\n\n",
        "requirements-dev.txt": "pytest\n",
        "setup.cfg": "[metadata]\nname = site\n\n[options]\ninstall_requires =\n    gunicorn>=20\n    psycopg\n",
        "site/a.py": "",
      },
      {
        name: "site",
        type: "python",
        dependencies: ["Django", "why", "gunicorn", "psycopg", "pytest"],
        test_framework: "pytest",
        build_command: "python -m build",
      },
    ],
    [
      "Python with a Pipfile",
      { Pipfile: '[packages]\ntyper = "*"\n[dev-packages]\nmypy = "*"\n', "a.py": "" },
      { type: "python", architecture: "typer CLI", dependencies: ["typer", "mypy"] },
    ],
    [
      "Rust, a workspace",
      {
        "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\n',
        "crates/core/Cargo.toml": cargo("core-lib", "serde"),
        "crates/core/src/lib.rs": "",
        "crates/cli/Cargo.toml": cargo("cli", "clap", "core-lib"),
        "crates/cli/src/main.rs": "",
      },
      {
        name: "project",
        type: "rust",
        architecture: "monorepo with 2 packages: clap CLI",
        dependencies: ["clap", "serde"],
        test_framework: "cargo test",
        build_command: "cargo build",
      },
    ],
    [
      "Go",
      {
        "go.mod":
          "module example.org/shop\n\ngo 1.22\n\nrequire github.com/gin-gonic/gin v1.9.1\n\nrequire (\n\tgithub.com/lib/pq v1.10.9\n\tgolang.org/x/sys v0.1.0 // indirect\n)\n",
        "main.go": "package main\n",
      },
      {
        name: "example.org/shop",
        type: "go",
        architecture: "gin backend",
        dependencies: ["github.com/gin-gonic/gin", "github.com/lib/pq"],
        test_framework: "go test",
        build_command: "go build ./...",
      },
    ],
    [
      "Java with Maven",
      {
        "pom.xml":
          "<project><modelVersion>4.0.0</modelVersion><artifactId>bank</artifactId><dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId></dependency><dependency><artifactId>junit-jupiter</artifactId><scope>test</scope></dependency></dependencies><dependencyManagement><dependencies><dependency><artifactId>never</artifactId></dependency></dependencies></dependencyManagement></project>",
        mvnw: "",
        "src/main/java/A.java": "",
      },
      {
        name: "bank",
        type: "java",
        architecture: "spring-boot backend",
        dependencies: ["spring-boot-starter-web", "junit-jupiter"],
        test_framework: "junit",
        build_command: "./mvnw package",
      },
    ],
    [
      "Kotlin with Gradle",
      {
        "build.gradle.kts":
          'plugins {\n  kotlin("jvm") version "2.0"\n  id("application")\n}\ndependencies {\n  implementation("io.ktor:ktor-server-core:2.3")\n  // implementation("a:never:1")\n  testImplementation("io.kotest:kotest-runner-junit5:5")\n}\n',
        "settings.gradle.kts": 'rootProject.name = "chat"\n',
        gradlew: "",
        "src/main/kotlin/A.kt": "",
      },
      {
        name: "chat",
        type: "kotlin",
        architecture: "ktor backend",
        dependencies: ["ktor-server-core", "kotest-runner-junit5"],
        test_framework: "kotest",
        build_command: "./gradlew build",
      },
    ],
    [
      "no manifest",
      { "a.sh": "", "b.sh": "", "README.md": "" },
      { name: "project", type: "shell", architecture: "no manifest that Forge knows", dependencies: [] },
    ],
  ];
  test.each(kinds)("%s", async (_name, files, expected) => {
    expect((await infoOf(projectOf(files))).project).toMatchObject(expected);
  });
});

it("counts the packages of a monorepo by its workspaces, and takes those of tests and fixtures for none", async () => {
  const named = (name: string, dependencies = {}) => JSON.stringify({ name, dependencies });
  const project = projectOf({
    "package.json": JSON.stringify({ name: "mono", private: true, workspaces: ["packages/*", "!packages/old"] }),
    "packages/web/package.json": named("web", { react: "18", ui: "*" }),
    "packages/ui/package.json": named("ui", { react: "18" }),
    "packages/old/package.json": named("old"),
    "packages/web/test/fixtures/a/package.json": named("never", { express: "4" }),
    "test/other/package.json": named("never-too", { express: "4" }),
    "packages/web/a.js": "",
  });
  const info = await infoOf(project);
  expect(info.project).toMatchObject({
    name: "mono",
    architecture: "monorepo with 2 packages: react frontend",
    dependencies: ["react"],
  });
  expect(info.project.components?.map(({ path }) => path)).toEqual([
    ".",
    "packages/old",
    "packages/ui",
    "packages/web",
  ]);
});

it("reads a pnpm workspace and the modules of Go and Maven", async () => {
  const pnpm = projectOf({
    "package.json": JSON.stringify({ name: "m" }),
    "pnpm-workspace.yaml": 'packages:\n  # all of them\n  - "apps/*"\n  - libs/one\n\ncatalog:\n  - never\n',
    "apps/a/package.json": "{}",
    "libs/one/package.json": "{}",
    "libs/two/package.json": "{}",
  });
  expect((await infoOf(pnpm)).project.architecture).toContain("monorepo with 2 packages");
  const go = projectOf({
    "go.work": "go 1.22\n\nuse (\n\t./a\n\t./b\n)\n",
    "a/go.mod": "module x/a\n",
    "b/go.mod": "module x/b\n",
    "a/main.go": "",
  });
  expect((await infoOf(go)).project).toMatchObject({ type: "go", architecture: expect.stringContaining("2 packages") });
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
    ["JSON of another kind", "package.json", "[1, 2]", "is no JSON object"],
    ["no TOML", "Cargo.toml", "[package\nname", "is not valid TOML (line 1)"],
    ["TOML as deep as a well", "pyproject.toml", `a = ${"[".repeat(5_000)}`, "is not valid TOML"],
    ["no XML", "pom.xml", "<project><a></project>", "is not the XML of a Maven project"],
    ["XML with entities", "pom.xml", '<!DOCTYPE a [<!ENTITY b "c">]><project>&b;</project>', "is not the XML"],
    ["no text", "package.json", Buffer.from([0xff, 0xfe, 0x00, 0x41]), "only UTF-8 text"],
    ["huge", "package.json", `{"name": "${"x".repeat(600_000)}"}`, "at most 524288 are read"],
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
    expect(info.warnings).toEqual([expect.stringContaining("leads out of the project")]);
  });

  it("more packages than anybody has are counted out, not read", async () => {
    const files = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`p/${index}/package.json`, "{}"]));
    const info = await infoOf(projectOf(files));
    expect(info.project.components).toHaveLength(30);
    expect(info.project.components_omitted).toBe(120);
    expect(info.warnings).toEqual(["250 further manifests were not looked at."]);
  });
});
