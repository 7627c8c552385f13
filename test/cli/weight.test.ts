import { build } from "esbuild";
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
  const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
  expect(bytes).toBeLessThan(80_000);
});
