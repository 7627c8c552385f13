import { build, type Metafile, type Plugin } from "esbuild";
import { expect, test } from "vitest";

/** `forge mcp` and `forge version` pass through here first; each import costs every start of every assistant. */
test.each([
  ["src/hosts/cli/run-cli.ts", ["node:util"], 128_000],
  ["src/app/settings/config.ts", [], 20_000],
  ["src/app/settings/binaries.ts", [], 10_000],
  ["src/main.ts", ["node:buffer", "node:fs", "node:os", "node:path", "node:tty", "node:util"], 190_000],
])("%s loads no library at its start, and of Node's only %j", async (entry, allowed, mostBytes) => {
  const { outputs } = await bundle(entry);
  const { files, bytes, builtIns } = atStart(outputs, entry);
  expect(files.filter((file) => file.includes("node_modules"))).toEqual([]);
  expect(files).toContain(entry);
  expect(builtIns.filter((name) => !allowed.includes(name))).toEqual([]);
  expect(bytes).toBeLessThan(mostBytes);
});

test.each(["src/hosts/cli/run-cli.ts", "src/app/settings/config.ts", "src/app/settings/binaries.ts"])(
  "%s loads neither a library nor more of the platform than the terminal, not even later",
  async (entry) => {
    const inputs = Object.keys((await bundle(entry)).inputs);
    const isHeavy = (file: string) => file.includes("node_modules") || /^src\/platform\/(?!terminal\/)/.test(file);
    expect(inputs.filter(isHeavy)).toEqual([]);
  },
);

const baked: Record<string, string> = {
  catalog: "export const readCatalog = () => [];",
  "command-names": "export const commandNames = [];",
  "command-facts": "export const commandFacts = { all: () => [], of: () => undefined };",
};

/** As in the build: the lists are data there, and cost neither the definitions nor zod. */
const bakedData: Plugin = {
  name: "baked-data",
  setup(build) {
    build.onLoad({ filter: /[\\/](?:catalog|command-names|command-facts)\.ts$/ }, ({ path }) => {
      const name = /([\w-]+)\.ts$/.exec(path)?.[1] ?? "";
      return /[\\/]src[\\/]app[\\/]/.test(path) ? { contents: baked[name] ?? "" } : undefined;
    });
  },
};

async function bundle(entry: string): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    splitting: true,
    outdir: "out",
    logLevel: "silent",
    plugins: [bakedData],
    external: ["@photostructure/sqlite", "pg-native"],
  });
  return metafile;
}

/** What is loaded whatever the command; what a command loads when it runs does not count. */
function atStart(outputs: Metafile["outputs"], entry: string) {
  const first = Object.keys(outputs).filter((file) => outputs[file]?.entryPoint === entry);
  const loaded = new Set(first);
  const builtIns = new Set<string>();
  for (const file of loaded) {
    for (const { path, kind, external } of outputs[file]?.imports ?? []) {
      if (kind !== "import-statement") continue;
      if (external) builtIns.add(path);
      else loaded.add(path);
    }
  }
  const parts = [...loaded].flatMap((file) => outputs[file] ?? []);
  return {
    files: parts.flatMap(({ inputs }) => Object.keys(inputs)),
    bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
    builtIns: [...builtIns],
  };
}
