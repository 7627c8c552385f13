/**
 * Builds the published program into dist/: a small main chunk, chunks that load on first use, and the launcher.
 * Code is split as ES modules and each chunk is then converted to CommonJS, because only a script's compiled code
 * can be cached by the launcher on every Node version.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type OutputFile, transform } from "esbuild";
import { buildBoard } from "./board.ts";
import { bundleOptions, moreTools } from "./bundle-options.ts";
import { noticesFor } from "./notices.ts";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

/** What nearly every command and tool call loads, and what a Tab key waits for, by the name of its source. */
const packedEntries = [
  ...["program", "sqlite", "tool-calls", "cli", "open", "version", "toolsets"],
  ...["shell-complete", "completion", "call"],
];
/** What comes with the main file: an assistant waits for nothing as often as for this command. */
const mainEntry = "mcp";
/** What the bundler defines at the beginning of every chunk, one statement a line or with indented lines. */
const helperDefinitions =
  /^(?:var __(?:create|defProp|getOwnProp\w+|getProtoOf|hasOwnProp|\w*[Ee]xport|copyProps|to\w+) = .*\n(?:[ })].*\n)*)+/;
const sharedHelpers = ["__export", "__reExport", "__toESM", "__toCommonJS"];
/** A larger chunk has a file of its own: it would be there several times. */
const maxPackedLength = 16_384;

const split = await build({
  entryPoints: { main: join(root, "src/main.ts") },
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  outdir: dist,
  chunkNames: "[name]-[hash]",
  ...bundleOptions,
  minifySyntax: true,
  metafile: true,
  write: false,
  logLevel: "warning",
});

const chunks = withPacked(await Promise.all(split.outputFiles.map(toCommonJs)));
chunks.push({ name: moreTools.file, code: inAscii(moreTools.code) });
const buildId = createHash("sha256")
  .update(chunks.map(({ code }) => code).join("\n"))
  .digest("hex")
  .slice(0, 16);
const files = new Map<string, string | Buffer>(chunks.map(({ name, code }) => [name, code]));
const model = join(root, "src/platform/embed/model");
for (const name of ["encoder.bin", "vocabulary.txt"]) files.set(name, readFileSync(join(model, name)));
files.set("encoder-NOTICE.txt", readFileSync(join(model, "NOTICE")));
files.set("launcher.cjs", readFileSync(join(root, "src/launcher.cjs"), "utf8").replace("@BUILD_ID@", buildId));
files.set(
  "THIRD-PARTY-NOTICES.txt",
  noticesFor([...Object.keys(split.metafile.inputs), ...(await buildBoard()).inputs]),
);
files.set("package.json", '{ "type": "commonjs" }\n');
await addRegistryLibrary();
if (!isBuilt()) {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(dist, name), text);
}

/** `forge-mcp/registry`: the registry as a library, in one file, with its types, which need no package of ours. */
async function addRegistryLibrary(): Promise<void> {
  const client = join(root, "src/rooms/registry/client");
  const { outputFiles } = await build({
    entryPoints: [join(client, "index.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    outfile: join(dist, "registry.mjs"),
    // A package of the bundle asks for a module of Node's by `require`.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    minify: true,
    legalComments: "none",
    write: false,
    logLevel: "warning",
  });
  for (const { text } of outputFiles) files.set("registry.mjs", text);
  const types = ["types.ts", "public-types.ts"].map((name) => readFileSync(join(client, name), "utf8"));
  const own = types.map((text) => text.replace(/^(?:import|export) type [^;]*? from "[^"]*";\n/gm, ""));
  const opened =
    "/** The registry of a project: its definitions, plugins, forks, configuration and cache. */\nexport declare function openRegistry(options?: RegistryOptions): Registry;\n";
  files.set("registry.d.mts", [...own, opened].join("\n"));
}

/** If nothing would change, the build writes nothing, because the program may be running. */
function isBuilt(): boolean {
  const present = existsSync(dist) ? readdirSync(dist) : [];
  return (
    present.length === files.size && present.every((name) => isSame(files.get(name), readFileSync(join(dist, name))))
  );
}

function isSame(wanted: string | Buffer | undefined, there: Buffer): boolean {
  return wanted !== undefined && there.equals(Buffer.from(wanted));
}

type Chunk = { name: string; code: string };

/**
 * Puts the chunks that a file needs at once into it, and the file passes them to the launcher: one file to open, not twenty.
 * Only what comes with the main file has no file of its own: the others may be needed before the file that they are in.
 */
function withPacked(chunks: Chunk[]): Chunk[] {
  const code = new Map(chunks.map((chunk) => [chunk.name, chunk.code]));
  const sourceOf = (name: string) => name.replace(/-[A-Z0-9]{8}\.cjs$/, "");
  const started = chunks.map(({ name }) => name).filter((name) => sourceOf(name) === mainEntry);
  const withMain = new Set(["main.cjs", ...started].flatMap((name) => [name, ...neededBy(name)]));
  withMain.delete("main.cjs");
  const pack = (file: string, needed: Iterable<string>) => {
    const parts = [...needed].map(
      (name) => `"./${name}":function(exports,require,module,__filename,__dirname){${code.get(name)}\n}`,
    );
    return { name: file, code: `require.provide({${parts.join(",")}});${code.get(file)}` };
  };
  const isSmall = (name: string) => (code.get(name) ?? "").length <= maxPackedLength;
  return chunks
    .filter(({ name }) => !withMain.has(name))
    .map((chunk) => {
      const { name } = chunk;
      if (name === "main.cjs") return pack(name, withMain);
      if (!packedEntries.includes(sourceOf(name))) return chunk;
      return pack(
        name,
        neededBy(name).filter((other) => !withMain.has(other) && isSmall(other)),
      );
    });
}

/** The chunks that a file imports, and what these import. */
function neededBy(file: string): string[] {
  const needed = new Set([file.replace(/\.cjs$/, ".js")]);
  for (const name of needed) {
    const [, output] = Object.entries(split.metafile.outputs).find(([path]) => path.endsWith(`/${name}`)) ?? [];
    for (const { path, kind } of output?.imports ?? []) {
      if (kind === "import-statement" && /(?:^|\/)chunk-[^/]+\.js$/.test(path))
        needed.add(path.slice(path.lastIndexOf("/") + 1));
    }
  }
  return [...needed].map((name) => name.replace(/\.js$/, ".cjs")).filter((name) => name !== file);
}

async function toCommonJs(file: OutputFile): Promise<{ name: string; code: string }> {
  const name = file.path.slice(dist.length + 1).replace(/\.js$/, ".cjs");
  const source = file.text
    .replace(/((?:from|import)\s*\(?\s*"\.\/[\w.-]+)\.js"/g, '$1.cjs"')
    // The transform below would copy everything that the chunk exports, each time it is asked for.
    .replace(/\bimport\(("\.\/[\w.-]+\.cjs")\)/g, "Promise.resolve().then(() => require($1))");
  const { code: converted } = await transform(source, {
    format: "cjs",
    platform: "node",
    target: "node20.19",
    supported: { "dynamic-import": false },
  });
  const { code } = await transform(withSharedHelpers(converted), {
    format: "cjs",
    platform: "node",
    target: "node20.19",
    minify: true,
    legalComments: "none",
    charset: "ascii",
  });
  return { name, code: inAscii(code) };
}

/** Takes the helpers for imports and exports from the launcher, because defining them in each of a hundred chunks takes time. */
function withSharedHelpers(code: string): string {
  const rest = code.replace(helperDefinitions, "");
  const used = sharedHelpers.filter((name) => rest.includes(`${name}(`));
  return used.length > 0 ? `var { ${used.join(", ")} } = require.helpers;\n${rest}` : rest;
}

/**
 * The launcher reads bytes as characters, which is quicker. The bundler leaves what lies in tagged templates and regular
 * expressions as it is, and there too an escape means the same.
 */
function inAscii(code: string): string {
  // What is escaped already would come to mean a backslash and some letters.
  if (/\\[\u0080-\uffff]/.test(code))
    throw new Error("write this as an escape: a backslash stands before a letter that is not ASCII");
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
