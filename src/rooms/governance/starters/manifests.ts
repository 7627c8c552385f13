import { tableOf } from "../model/json-parts.ts";

/** What a package says of itself. */
export type Manifest = {
  path: string;
  ecosystem: string;
  name?: string | undefined;
  description?: string | undefined;
  version?: string | undefined;
  dependencies: string[];
  test?: string | undefined;
  build?: string | undefined;
  runtime?: string | undefined;
};

type Reader = (path: string, text: string) => Promise<Manifest> | Manifest;

const readers: Record<string, Reader> = {
  "package.json": readPackageJson,
  "pyproject.toml": readPyproject,
  "setup.py": (path) => ({ path, ecosystem: "python", dependencies: [], test: "python -m pytest" }),
  "requirements.txt": readRequirements,
  "go.mod": readGoMod,
  "Cargo.toml": readCargo,
  "pom.xml": readPom,
  "build.gradle": readGradle,
  "build.gradle.kts": readGradle,
  Gemfile: readGemfile,
  "composer.json": readComposer,
};

export const manifestNames: ReadonlySet<string> = new Set(Object.keys(readers));

/** Undefined for one that cannot be read; nothing of it is run. */
export async function readManifest(path: string, text: string): Promise<Manifest | undefined> {
  const reader = readers[path.slice(path.lastIndexOf("/") + 1)];
  try {
    return await reader?.(path, text);
  } catch {
    return undefined;
  }
}

function readPackageJson(path: string, text: string): Manifest {
  const manifest = tableOf(JSON.parse(text));
  const scripts = tableOf(manifest["scripts"]);
  return {
    path,
    ecosystem: "javascript",
    ...facts(manifest),
    dependencies: Object.keys(tableOf(manifest["dependencies"])),
    test: scripts["test"] === undefined ? undefined : "npm test",
    build: scripts["build"] === undefined ? undefined : "npm run build",
    runtime: textOf(tableOf(manifest["engines"])["node"], "Node.js "),
  };
}

async function readPyproject(path: string, text: string): Promise<Manifest> {
  const { parse } = await import("smol-toml");
  const manifest = tableOf(parse(text));
  const project = tableOf(manifest["project"]);
  const poetry = tableOf(tableOf(manifest["tool"])["poetry"]);
  const given = Array.isArray(project["dependencies"]) ? project["dependencies"] : [];
  return {
    path,
    ecosystem: "python",
    ...facts(poetry),
    ...facts(project),
    dependencies: [
      ...given.map((line) => /^[\w.-]+/.exec(String(line))?.[0] ?? "").filter((name) => name !== ""),
      ...Object.keys(tableOf(poetry["dependencies"])).filter((name) => name !== "python"),
    ],
    test: "python -m pytest",
    build: manifest["build-system"] === undefined ? undefined : "python -m build",
    runtime: textOf(project["requires-python"], "Python "),
  };
}

function readRequirements(path: string, text: string): Manifest {
  const names = text.split("\n").flatMap((line) => /^[A-Za-z0-9][\w.-]*/.exec(line.trim())?.[0] ?? []);
  return { path, ecosystem: "python", dependencies: names };
}

function readGoMod(path: string, text: string): Manifest {
  const [, name] = /^module[ \t]+(\S+)/m.exec(text) ?? [];
  const [, version] = /^go[ \t]+(\S+)/m.exec(text) ?? [];
  const direct = text.split("\n").filter((line) => /^(?:\t|require )\S+ v/.test(line) && !line.includes("// indirect"));
  const dependencies = direct.map(
    (line) =>
      line
        .replace(/^require /, "")
        .trim()
        .split(" ")[0] ?? "",
  );
  return {
    path,
    ecosystem: "go",
    name,
    dependencies,
    test: "go test ./...",
    build: "go build ./...",
    runtime: textOf(version, "Go "),
  };
}

async function readCargo(path: string, text: string): Promise<Manifest> {
  const { parse } = await import("smol-toml");
  const manifest = tableOf(parse(text));
  const given = tableOf(manifest["package"]);
  return {
    path,
    ecosystem: "rust",
    ...facts(given),
    dependencies: Object.keys(tableOf(manifest["dependencies"])),
    test: "cargo test",
    build: "cargo build",
    runtime: manifest["workspace"] === undefined ? textOf(given["rust-version"], "Rust ") : "workspace",
  };
}

function readPom(path: string, text: string): Manifest {
  const others = ["parent", "dependencies", "dependencyManagement", "build", "profiles"];
  const own = others.reduce(
    (left, name) => elements(left, name).reduce((rest, part) => rest.replace(part, ""), left),
    text,
  );
  const [, name] = /<artifactId>([^<]{1,200})<\/artifactId>/.exec(own) ?? [];
  const [, description] = /<description>([^<]{1,300})<\/description>/.exec(own) ?? [];
  const dependencies = elements(text, "dependency")
    .filter((part) => !part.includes("<scope>test</scope>"))
    .flatMap((part) => elements(part, "artifactId").slice(0, 1));
  return {
    path,
    ecosystem: "java",
    name,
    description: description?.replace(/\s+/g, " ").trim(),
    dependencies: [...new Set(dependencies)].filter((id) => !id.includes("$")),
    test: "mvn test",
    build: "mvn package",
  };
}

/** What is between the tags of this name; one within another of its own name is not told apart. */
function elements(xml: string, name: string): string[] {
  const [open, close] = [`<${name}>`, `</${name}>`];
  const parts: string[] = [];
  for (let at = xml.indexOf(open); at !== -1; at = xml.indexOf(open, at)) {
    const start = at + open.length;
    const end = xml.indexOf(close, start);
    if (end === -1) break;
    parts.push(xml.slice(start, end));
    at = end;
  }
  return parts;
}

function readGradle(path: string, text: string): Manifest {
  const named = text
    .split("\n")
    .flatMap(
      (each) => /^(?:implementation|api)[ (]{1,3}["'][^:"']{1,200}:([^:"']{1,200})/.exec(each.trim())?.[1] ?? [],
    );
  return { path, ecosystem: "java", dependencies: [...new Set(named)], test: "gradle test", build: "gradle build" };
}

function readGemfile(path: string, text: string): Manifest {
  const names = text.split("\n").flatMap((each) => /^gem ["']([\w-]{1,100})["']/.exec(each.trim())?.[1] ?? []);
  return {
    path,
    ecosystem: "ruby",
    dependencies: names,
    test: names.includes("rspec-rails") ? "bundle exec rspec" : "bundle exec rake test",
  };
}

function readComposer(path: string, text: string): Manifest {
  const manifest = tableOf(JSON.parse(text));
  const dependencies = Object.keys(tableOf(manifest["require"])).filter((name) => name.includes("/"));
  return { path, ecosystem: "php", ...facts(manifest), dependencies, test: "composer test" };
}

function facts(table: Record<string, unknown>): Partial<Pick<Manifest, "name" | "description" | "version">> {
  const given = {
    name: textOf(table["name"]),
    description: textOf(table["description"]),
    version: textOf(table["version"]),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function textOf(value: unknown, before = ""): string | undefined {
  return typeof value === "string" && value !== "" ? before + value.slice(0, 300) : undefined;
}
