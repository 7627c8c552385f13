import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { BoardFiles } from "../src/hosts/http/board/board-files.ts";

const root = join(import.meta.dirname, "..");

/** Compiles the board's browser code; `inputs` are the files it was made of. Nothing is fetched, now or in the browser. */
export async function buildBoard(): Promise<{ board: BoardFiles; inputs: string[] }> {
  const compiled = await build({
    entryPoints: {
      board: join(root, "src/web/main.tsx"),
      events: join(root, "src/web/data/events-worker.ts"),
      style: join(root, "src/web/styles/board.css"),
    },
    bundle: true,
    splitting: true,
    format: "esm",
    target: ["chrome110", "firefox115", "safari16.4"],
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    legalComments: "none",
    charset: "ascii",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    outdir: join(root, "dist/board"),
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  const files = compiled.outputFiles
    .map(({ path, text }) => ({ name: basename(path), text }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const named = (pattern: RegExp) => files.find(({ name }) => pattern.test(name))?.name ?? "";
  return {
    board: {
      script: named(/^board-.*\.js$/),
      style: named(/^style-.*\.css$/),
      worker: named(/^events-.*\.js$/),
      files: files.map(({ name, text }) => ({ name, text, gzip: gzipSync(text, { level: 9 }).toString("base64") })),
    },
    inputs: Object.keys(compiled.metafile.inputs),
  };
}
