import { dirname, join, relative, sep } from "node:path";
import type { Plugin } from "esbuild";
import { catalog } from "../src/app/catalog.ts";
import { commandFacts } from "../src/app/commands/command-facts.ts";
import { commandNames } from "../src/app/commands/command-names.ts";
import { loadMigrations } from "../src/app/migrations.ts";
import { loadSqlite } from "../src/platform/db/sqlite/library.ts";
import { hashSchema } from "../src/platform/db/sqlite/schema.ts";
import { builtInGuides } from "../src/rooms/tickets/guides/built-in.ts";

import { buildBoard } from "./board.ts";

const root = join(import.meta.dirname, "..");

/** What the catalogue has beyond the first list of tools, in a file of its own, which the launcher loads when it is asked for. */
export const moreTools = { file: "more-tools.cjs", code: `module.exports = ${JSON.stringify(textsBeyondCore())};` };

/** Replaces modules that compute data from the definitions by that data, so that starting loads no definitions. */
const baked: Record<string, string> = {
  "catalog.ts": catalogCode(),
  "commands/command-names.ts": `export const commandNames = ${asCode(commandNames)};`,
  "commands/command-facts.ts": factsCode(),
};

/** Data that is parsed faster than code would be. */
function asCode(data: unknown): string {
  return `JSON.parse(${JSON.stringify(JSON.stringify(data))})`;
}

/** A start needs one command's facts at most. */
function factsCode(): string {
  const texts = Object.fromEntries(commandFacts.all().map((facts) => [facts.name, JSON.stringify(facts)]));
  return `
    const texts = ${JSON.stringify(texts)};
    let all;
    export const commandFacts = {
      all: () => all ??= Object.values(texts).map((text) => JSON.parse(text)),
      of: (name) => Object.hasOwn(texts, name) ? JSON.parse(texts[name]) : undefined,
    };`;
}

function textsBeyondCore(): Record<string, string> {
  const tools = catalog.flatMap(({ tools, coreTools }) => tools.filter(({ name }) => !coreTools.includes(name)));
  return Object.fromEntries(tools.map((tool) => [tool.name, JSON.stringify(tool)]));
}

/** Each tool as the text that goes over the wire, which is most of the catalogue. */
function catalogCode(): string {
  const entries = catalog.map(({ tools, ...entry }) => {
    const baked = tools.map((tool) => {
      const name = JSON.stringify(tool.name);
      const isCore = entry.coreTools.includes(tool.name);
      return `new BakedTool(${name}, ${isCore ? JSON.stringify(JSON.stringify(tool)) : `() => more()[${name}]`})`;
    });
    return `{ ...${asCode(entry)}, tools: [${baked.join(",")}] }`;
  });
  return `
    import { BakedTool } from "../hosts/mcp/lists/baked-tool.ts";
    const more = () => require("./${moreTools.file}");
    let catalog;
    export const readCatalog = () => catalog ??= [${entries.join(",")}];`;
}

const bakedData: Plugin = {
  name: "baked-data",
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/]app[\\/]/ }, ({ path }) => {
      const name = relative(join(root, "src/app"), path).split(sep).join("/");
      const contents = Object.hasOwn(baked, name) ? baked[name] : undefined;
      return contents === undefined ? undefined : { contents, loader: "js", resolveDir: dirname(path) };
    });
  },
};

/** Replaces the module that reads the guides by their text, because a bundle has no files next to it. */
const bakedGuides: Plugin = {
  name: "baked-guides",
  setup(build) {
    build.onLoad({ filter: /[\\/]tickets[\\/]guides[\\/]built-in\.ts$/ }, () => ({
      contents: `export const builtInGuides = ${JSON.stringify(builtInGuides)};`,
      loader: "ts",
    }));
  },
};

/** In the package, the encoder's files are next to the bundle's. */
const bakedModelFolder: Plugin = {
  name: "baked-model-folder",
  setup(build) {
    build.onLoad({ filter: /[\\/]embed[\\/]model-folder\.ts$/ }, () => ({
      contents: "export const modelFolder = __dirname;",
      loader: "ts",
    }));
  },
};

/** Replaces the module that would hold the board's browser code by that code. */
const bakedBoard: Plugin = {
  name: "baked-board",
  setup(build) {
    build.onLoad({ filter: /[\\/]http[\\/]board[\\/]board-files\.ts$/ }, async () => {
      const { board } = await buildBoard();
      return {
        contents: `export const boardFiles = ${asCode(board)};`,
        loader: "ts",
      };
    });
  },
};

const knownSchemas = [await hashSchema(await loadSqlite(), await loadMigrations())];

const bakedSchemas: Plugin = {
  name: "baked-schemas",
  setup(build) {
    build.onLoad({ filter: /[\\/]sqlite[\\/]known-schemas\.ts$/ }, () => ({
      contents: `export const knownSchemas = ${JSON.stringify(knownSchemas)};`,
      loader: "ts",
    }));
  },
};

/** What every bundle of the program's source needs. */
export const bundleOptions = {
  external: ["@photostructure/sqlite", "pg-native", `./${moreTools.file}`],
  // Its main file requires its parts in a way that bundlers cannot follow.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  plugins: [bakedData, bakedGuides, bakedModelFolder, bakedBoard, bakedSchemas],
};
