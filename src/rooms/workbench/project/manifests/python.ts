import {
  hasTable,
  keysOf,
  type Manifest,
  type PackageKind,
  type Surroundings,
  tableIn,
  textIn,
  textsIn,
} from "../manifest.ts";
import { tomlTable } from "./toml.ts";

const mostLines = 5_000;
const plain = { ecosystem: "python" } as const;

export function readPyproject(text: string, around: Surroundings): Manifest {
  const manifest = tomlTable(text);
  const project = tableIn(manifest, "project");
  const poetry = tableIn(manifest, "tool", "poetry");
  const poetryGroups = Object.values(tableIn(poetry, "group")).slice(0, 100);
  const uv = tableIn(manifest, "tool", "uv");
  return {
    ...plain,
    name: textIn(project, "name") ?? textIn(poetry, "name"),
    dependencies: [
      ...packages(textsIn(project["dependencies"])),
      ...keysOf(tableIn(poetry, "dependencies")).filter((name) => name !== "python"),
    ],
    devDependencies: [
      ...listsIn(project, "optional-dependencies"),
      ...listsIn(manifest, "dependency-groups"),
      ...packages(textsIn(uv["dev-dependencies"])),
      ...keysOf(tableIn(poetry, "dev-dependencies")),
      ...poetryGroups.flatMap((group) => keysOf(tableIn(group, "dependencies"))),
    ],
    members: textsIn(tableIn(uv, "workspace")["members"]),
    test: hasTable(manifest, "tool", "pytest") ? "pytest" : undefined,
    build: buildOf(manifest, around),
    kind: kindOf(manifest),
  };
}

export function readSetupCfg(text: string): Manifest {
  const metadata = section(text, "metadata");
  const options = section(text, "options");
  return {
    ...plain,
    name: metadata.get("name")?.[0],
    dependencies: packages(options.get("install_requires") ?? []),
    devDependencies: [...section(text, "options.extras_require").values()].flatMap(packages),
    test: section(text, "tool:pytest").size > 0 ? "pytest" : undefined,
    build: metadata.size > 0 ? "python -m build" : undefined,
    kind: metadata.size > 0 ? "library" : undefined,
  };
}

/** It is a program, and no file is run to be understood: that it is there says that something can be built. */
export function readSetupPy(): Manifest {
  return { ...plain, dependencies: [], devDependencies: [], build: "python -m build", kind: "library" };
}

export function readRequirements(text: string, { file }: Surroundings): Manifest {
  const names = packages(text.split("\n").slice(0, mostLines));
  const isForDevelopment = /dev|test|lint|doc/i.test(file);
  return isForDevelopment
    ? { ...plain, dependencies: [], devDependencies: names }
    : { ...plain, dependencies: names, devDependencies: [] };
}

export function readPipfile(text: string): Manifest {
  const manifest = tomlTable(text);
  return {
    ...plain,
    dependencies: keysOf(tableIn(manifest, "packages")),
    devDependencies: keysOf(tableIn(manifest, "dev-packages")),
  };
}

function listsIn(table: Record<string, unknown>, name: string): string[] {
  return Object.values(tableIn(table, name))
    .slice(0, 100)
    .flatMap((list) => packages(textsIn(list)));
}

/** `name[extra]>=1.0; python_version < "3.9"`; what is fetched from an address has its name after `egg=`, or before ` @ `. */
function packages(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const text = line.trim();
    if (text.startsWith("-") || text.startsWith("#") || text.startsWith(".") || text.startsWith("/")) return [];
    const named = text.includes("://") && !text.includes(" @ ") ? (text.split("#egg=")[1] ?? "") : text;
    const [name] = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}/.exec(named) ?? [];
    return name === undefined ? [] : [name];
  });
}

/** One section of an INI file; a value goes on in lines that are indented. */
function section(text: string, name: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  let isInside = false;
  let current: string[] | undefined;
  for (const line of text.split("\n").slice(0, mostLines)) {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#") || trimmed.startsWith(";")) continue;
    if (line.startsWith("[")) {
      isInside = trimmed === `[${name}]`;
      current = undefined;
    } else if (/^[ \t]/.test(line)) current?.push(trimmed);
    else if (isInside) current = opened(values, trimmed);
  }
  return values;
}

function opened(values: Map<string, string[]>, line: string): string[] {
  const at = line.search(/[=:]/);
  const value = at === -1 ? "" : line.slice(at + 1).trim();
  const list = value === "" ? [] : [value];
  values.set((at === -1 ? line : line.slice(0, at)).trim(), list);
  return list;
}

function buildOf(manifest: Record<string, unknown>, { hasAbove }: Surroundings): string | undefined {
  const backend = textIn(tableIn(manifest, "build-system"), "build-backend") ?? "";
  if (hasAbove("uv.lock")) return "uv build";
  if (backend.startsWith("poetry") || hasTable(manifest, "tool", "poetry")) return "poetry build";
  if (backend.startsWith("hatchling")) return "hatch build";
  if (backend.startsWith("pdm")) return "pdm build";
  if (backend.startsWith("maturin")) return "maturin build";
  return hasTable(manifest, "build-system") ? "python -m build" : undefined;
}

function kindOf(manifest: Record<string, unknown>): PackageKind | undefined {
  if (hasTable(manifest, "project", "scripts") || hasTable(manifest, "tool", "poetry", "scripts")) return "CLI";
  return hasTable(manifest, "build-system") ? "library" : undefined;
}
