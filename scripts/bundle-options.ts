import { join, relative, sep } from "node:path";
import type { Plugin } from "esbuild";
import { catalog } from "../src/app/catalog.ts";
import { commandFacts } from "../src/app/commands/command-facts.ts";
import { commandNames } from "../src/app/commands/command-names.ts";
import { builtInGuides } from "../src/rooms/tickets/guides/built-in.ts";

const root = join(import.meta.dirname, "..");

/** Data that is worked out from the definitions, in place of the modules that do so: a start then loads no definitions. */
const baked: Record<string, Record<string, unknown>> = {
  "catalog.ts": { catalog },
  "commands/command-names.ts": { commandNames },
  "commands/command-facts.ts": { commandFacts },
};

const bakedData: Plugin = {
  name: "baked-data",
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/]app[\\/]/ }, ({ path }) => {
      const name = relative(join(root, "src/app"), path).split(sep).join("/");
      const data = Object.hasOwn(baked, name) ? baked[name] : undefined;
      if (!data) return undefined;
      const lines = Object.entries(data).map(
        ([exported, value]) => `export const ${exported} = JSON.parse(${JSON.stringify(JSON.stringify(value))});`,
      );
      return { contents: lines.join("\n"), loader: "ts" };
    });
  },
};

/** The guides' text in place of the module that reads it: nothing lies beside a bundle. */
const bakedGuides: Plugin = {
  name: "baked-guides",
  setup(build) {
    build.onLoad({ filter: /[\\/]tickets[\\/]guides[\\/]built-in\.ts$/ }, () => ({
      contents: `export const builtInGuides = ${JSON.stringify(builtInGuides)};`,
      loader: "ts",
    }));
  },
};

/** What every bundle of the program's source needs. */
export const bundleOptions = {
  // Its main file asks for its parts by names that no bundler can follow.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  plugins: [bakedData, bakedGuides],
};
