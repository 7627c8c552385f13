import { expect, test } from "vitest";
import { binaryNamed } from "./binaries.ts";

test("one program has several names", () => {
  expect(binaryNamed("forge")).toEqual({ prefix: [] });
  expect(binaryNamed("forge-mcp")).toEqual({ prefix: [], fallback: "mcp" });
  expect(binaryNamed("fractary-forge-mcp").prefix).toEqual(["mcp", "--profile", "registry"]);
  expect(binaryNamed("fractary-forge").prefix).toEqual(["registry"]);
  expect(binaryNamed("bmad-mcp-server").prefix).toEqual(["mcp", "--profile", "memory"]);
});

test.each(["node", "toString", "__proto__"])("%s is forge", (name) => {
  expect(binaryNamed(name)).toEqual({ prefix: [] });
});
