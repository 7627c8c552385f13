import {
  getTable,
  getText,
  hasTable,
  listKeys,
  type Manifest,
  type ManifestFolder,
  type PackageKind,
  toRuntime,
  toTexts,
} from "./manifest.ts";
import { parseToml } from "./toml.ts";

const maxLines = 5_000;
const plain = { ecosystem: "python" } as const;
const testCommand = "python -m pytest";

export function readPyproject(text: string, around: ManifestFolder): Manifest {
  const manifest = parseToml(text);
  const project = getTable(manifest, "project");
  const poetry = getTable(manifest, "tool", "poetry");
  const poetryGroups = Object.values(getTable(poetry, "group")).slice(0, 100);
  const uv = getTable(manifest, "tool", "uv");
  return {
    ...plain,
    name: getText(project, "name") ?? getText(poetry, "name"),
    description: getText(project, "description") ?? getText(poetry, "description"),
    version: getText(project, "version") ?? getText(poetry, "version"),
    runtime: toRuntime("Python", getText(project, "requires-python")),
    dependencies: [
      ...parsePackages(toTexts(project["dependencies"])),
      ...listKeys(getTable(poetry, "dependencies")).filter((name) => name !== "python"),
    ],
    devDependencies: [
      ...findLists(project, "optional-dependencies"),
      ...findLists(manifest, "dependency-groups"),
      ...parsePackages(toTexts(uv["dev-dependencies"])),
      ...listKeys(getTable(poetry, "dev-dependencies")),
      ...poetryGroups.flatMap((group) => listKeys(getTable(group, "dependencies"))),
    ],
    members: toTexts(getTable(uv, "workspace")["members"]),
    test: hasTable(manifest, "tool", "pytest") ? "pytest" : undefined,
    testCommand,
    build: findBuildCommand(manifest, around),
    kind: detectKind(manifest),
  };
}

export function readSetupCfg(text: string): Manifest {
  const metadata = findSection(text, "metadata");
  const options = findSection(text, "options");
  return {
    ...plain,
    name: metadata.get("name")?.[0],
    dependencies: parsePackages(options.get("install_requires") ?? []),
    devDependencies: [...findSection(text, "options.extras_require").values()].flatMap(parsePackages),
    test: findSection(text, "tool:pytest").size > 0 ? "pytest" : undefined,
    build: metadata.size > 0 ? "python -m build" : undefined,
    kind: metadata.size > 0 ? "library" : undefined,
  };
}

/** It is a program, and no file is run to be understood: that it is there says that something can be built. */
export function readSetupPy(): Manifest {
  return { ...plain, dependencies: [], devDependencies: [], testCommand, build: "python -m build", kind: "library" };
}

export function readRequirements(text: string, { file }: ManifestFolder): Manifest {
  const names = parsePackages(text.split("\n").slice(0, maxLines));
  const isForDevelopment = /dev|test|lint|doc/i.test(file);
  return isForDevelopment
    ? { ...plain, dependencies: [], devDependencies: names }
    : { ...plain, dependencies: names, devDependencies: [] };
}

export function readPipfile(text: string): Manifest {
  const manifest = parseToml(text);
  return {
    ...plain,
    dependencies: listKeys(getTable(manifest, "packages")),
    devDependencies: listKeys(getTable(manifest, "dev-packages")),
  };
}

function findLists(table: Record<string, unknown>, name: string): string[] {
  return Object.values(getTable(table, name))
    .slice(0, 100)
    .flatMap((list) => parsePackages(toTexts(list)));
}

/** `name[extra]>=1.0; python_version < "3.9"`; what is fetched from an address has its name after `egg=`, or before ` @ `. */
function parsePackages(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const text = line.trim();
    if (text.startsWith("-") || text.startsWith("#") || text.startsWith(".") || text.startsWith("/")) return [];
    const named = text.includes("://") && !text.includes(" @ ") ? (text.split("#egg=")[1] ?? "") : text;
    const [name] = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}/.exec(named) ?? [];
    return name === undefined ? [] : [name];
  });
}

/** One section of an INI file; a value goes on in lines that are indented. */
function findSection(text: string, name: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  let isInside = false;
  let current: string[] | undefined;
  for (const line of text.split("\n").slice(0, maxLines)) {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#") || trimmed.startsWith(";")) continue;
    if (line.startsWith("[")) {
      isInside = trimmed === `[${name}]`;
      current = undefined;
    } else if (/^[ \t]/.test(line)) current?.push(trimmed);
    else if (isInside) current = startValue(values, trimmed);
  }
  return values;
}

function startValue(values: Map<string, string[]>, line: string): string[] {
  const at = line.search(/[=:]/);
  const value = at === -1 ? "" : line.slice(at + 1).trim();
  const list = value === "" ? [] : [value];
  values.set((at === -1 ? line : line.slice(0, at)).trim(), list);
  return list;
}

function findBuildCommand(manifest: Record<string, unknown>, { hasAbove }: ManifestFolder): string | undefined {
  const backend = getText(getTable(manifest, "build-system"), "build-backend") ?? "";
  if (hasAbove("uv.lock")) return "uv build";
  if (backend.startsWith("poetry") || hasTable(manifest, "tool", "poetry")) return "poetry build";
  if (backend.startsWith("hatchling")) return "hatch build";
  if (backend.startsWith("pdm")) return "pdm build";
  if (backend.startsWith("maturin")) return "maturin build";
  return hasTable(manifest, "build-system") ? "python -m build" : undefined;
}

function detectKind(manifest: Record<string, unknown>): PackageKind | undefined {
  if (hasTable(manifest, "project", "scripts") || hasTable(manifest, "tool", "poetry", "scripts")) return "CLI";
  return hasTable(manifest, "build-system") ? "library" : undefined;
}
