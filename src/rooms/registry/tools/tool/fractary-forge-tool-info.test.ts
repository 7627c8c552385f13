import { expect, test } from "vitest";
import { noRegistries, RegistryProject, tool } from "../../../../../test/harness/rooms/registry.ts";
import { fractaryForgeToolInfo } from "./fractary-forge-tool-info.ts";

test("shows inputs and outputs as JSON Schema, from each way of writing them", async () => {
  const schema = { type: "object", properties: { scope: { type: "string" } }, required: ["scope"] };
  const project = new RegistryProject({
    ".fractary/config.json": noRegistries,
    ".fractary/tools/own.yaml": tool("own", { output: { code: { type: "integer" } } }),
    ".fractary/tools/json.yaml": tool("json", { parameters: schema }),
    ".fractary/tools/other.yaml": tool("other", { parameters: undefined, input_schema: schema, output_schema: schema }),
  });
  const info = (name: string) => project.call(fractaryForgeToolInfo, { name });
  expect(await info("own")).toMatchObject({
    inputSchema: {
      type: "object",
      properties: { scope: { type: "string", description: "What to run" } },
      required: ["scope"],
    },
    outputSchema: { type: "object", properties: { code: { type: "integer" } } },
  });
  expect(await info("json")).toMatchObject({ inputSchema: schema });
  expect(await info("other")).toMatchObject({ inputSchema: schema, outputSchema: schema });
  expect(await info("missing")).toMatchObject({ code: "TOOL_NOT_FOUND" });
});
