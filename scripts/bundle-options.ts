import { join, relative, sep } from "node:path";
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

/** Replaces modules that compute data from the definitions by that data, so that starting loads no definitions. */
const baked: Record<string, string> = {
  "catalog.ts": catalogCode(),
  "commands/command-names.ts": `export const commandNames = ${asCode(commandNames)};`,
  "commands/command-facts.ts": `export const commandFacts = ${asCode(commandFacts)};`,
};

/** Data that is parsed faster than code would be. */
function asCode(data: unknown): string {
  return `JSON.parse(${JSON.stringify(JSON.stringify(data))})`;
}

/** The schemas are most of the catalogue. Each is parsed when it is first asked for: commands need one of them, or none. */
function catalogCode(): string {
  const texts: string[] = [];
  const without = catalog.map(({ tools, ...entry }) => ({
    ...entry,
    tools: tools.map(({ inputSchema, outputSchema, ...tool }) => ({
      ...tool,
      inputSchema: texts.push(JSON.stringify(inputSchema)) - 1,
      ...(outputSchema && { outputSchema: texts.push(JSON.stringify(outputSchema)) - 1 }),
    })),
  }));
  return `
    const parseLater = (tool, field, text) => Object.defineProperty(tool, field, {
      enumerable: true,
      configurable: true,
      get() {
        const value = JSON.parse(text);
        Object.defineProperty(tool, field, { value, enumerable: true, configurable: true, writable: true });
        return value;
      },
    });
    const make = () => {
      const made = ${asCode(without)};
      const texts = ${JSON.stringify(texts)};
      for (const { tools } of made) {
        for (const tool of tools) {
          parseLater(tool, "inputSchema", texts[tool.inputSchema]);
          if (tool.outputSchema !== undefined) parseLater(tool, "outputSchema", texts[tool.outputSchema]);
        }
      }
      return made;
    };
    let catalog;
    export const readCatalog = () => catalog ??= make();`;
}

const bakedData: Plugin = {
  name: "baked-data",
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/]app[\\/]/ }, ({ path }) => {
      const name = relative(join(root, "src/app"), path).split(sep).join("/");
      const contents = Object.hasOwn(baked, name) ? baked[name] : undefined;
      return contents === undefined ? undefined : { contents, loader: "js" };
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
  // Its main file requires its parts in a way that bundlers cannot follow.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  plugins: [bakedData, bakedGuides, bakedModelFolder, bakedBoard, bakedSchemas],
};
