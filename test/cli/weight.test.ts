import { build, type Metafile } from "esbuild";
import { expect, test } from "vitest";

/** `forge mcp` and `forge version` pass through here first; each import costs every start of every assistant. */
test.each(["src/hosts/cli/run-cli.ts", "src/config.ts", "src/faces.ts"])("%s loads no library", async (entry) => {
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
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.filter((file) => file.includes("node_modules") || file.startsWith("src/platform"))).toEqual([]);
  const builtIns = new Set(
    Object.values(metafile.inputs).flatMap(({ imports }) =>
      imports.filter(({ external }) => external).map(({ path }) => path),
    ),
  );
  expect([...builtIns].filter((name) => name !== "node:util")).toEqual([]);
  expect(bytesAtStart(metafile.outputs)).toBeLessThan(110_000);
});

/** What is loaded whatever the command; what a command loads when it runs does not count. */
function bytesAtStart(outputs: Metafile["outputs"]): number {
  const [entry = ""] = Object.keys(outputs).filter((file) =>
    outputs[file]?.entryPoint?.match(/(run-cli|config|faces)\.ts$/),
  );
  const loaded = new Set([entry]);
  for (const file of loaded) {
    for (const { path, kind } of outputs[file]?.imports ?? []) if (kind === "import-statement") loaded.add(path);
  }
  return [...loaded].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0);
}
