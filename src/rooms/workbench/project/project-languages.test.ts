import { describe, expect, it, test } from "vitest";
import { cargo, infoOf, projectOf } from "../../../../test/harness/rooms/workbench/workbench-project.ts";

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
        dependencies: ["fastify", "zod"],
        dev_dependencies: ["typescript", "jest"],
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
        dependencies: ["fastapi", "pydantic"],
        dev_dependencies: ["pytest"],
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
      { dependencies: ["flask"], dev_dependencies: ["black"], test_framework: "pytest", build_command: "poetry build" },
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
        dependencies: ["Django", "why", "gunicorn", "psycopg"],
        dev_dependencies: ["pytest"],
        test_framework: "pytest",
        build_command: "python -m build",
      },
    ],
    [
      "Python with a Pipfile",
      { Pipfile: '[packages]\ntyper = "*"\n[dev-packages]\nmypy = "*"\n', "a.py": "" },
      { type: "python", architecture: "typer CLI", dependencies: ["typer"], dev_dependencies: ["mypy"] },
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
        dependencies: ["spring-boot-starter-web"],
        dev_dependencies: ["junit-jupiter"],
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
        dependencies: ["ktor-server-core"],
        dev_dependencies: ["kotest-runner-junit5"],
        test_framework: "kotest",
        build_command: "./gradlew build",
      },
    ],
    [
      "no manifest",
      { "a.sh": "", "b.sh": "", "README.md": "" },
      { name: "project", type: "shell", architecture: "unknown (no known manifest)", dependencies: [] },
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

it("is not what it supports, is tested with or is measured against", async () => {
  const library = projectOf({
    "package.json": JSON.stringify({
      name: "router-lib",
      exports: "./dist/index.js",
      dependencies: { "path-to-regexp": "8" },
      peerDependencies: { express: "5" },
      optionalDependencies: { fastify: "5" },
      devDependencies: { react: "19", "react-dom": "19", next: "15", vitest: "4" },
    }),
    "src/index.ts": "",
    "benchmarks/servers/package.json": JSON.stringify({ dependencies: { koa: "2" } }),
    "docs/package.json": JSON.stringify({ dependencies: { next: "15" } }),
    "runtime-tests/bun/package.json": JSON.stringify({ dependencies: { elysia: "1", hono: "4" } }),
  });
  const { project } = await infoOf(library);
  expect(project).toMatchObject({ architecture: "typescript library", test_framework: "vitest" });
  expect(project.dependencies).toEqual(["path-to-regexp", "express", "fastify"]);
  expect(project.dev_dependencies).toEqual(["react", "react-dom", "next", "vitest"]);
  expect(project).not.toHaveProperty("components");
  const framework = projectOf({
    "package.json": JSON.stringify({ name: "hono", main: "x.js", dependencies: { hono: "*" } }),
  });
  expect((await infoOf(framework)).project.architecture).toBe("javascript library");
  const app = projectOf({
    "package.json": JSON.stringify({ private: true, devDependencies: { svelte: "5", vite: "7" } }),
  });
  expect((await infoOf(app)).project.architecture).toBe("svelte frontend");
  const site = projectOf({ "site/package.json": JSON.stringify({ name: "site", dependencies: { astro: "5" } }) });
  expect((await infoOf(site)).project.architecture).toBe("astro web app");
});
