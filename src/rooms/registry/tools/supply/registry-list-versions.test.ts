import { expect, test } from "vitest";
import { agent, RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { registryListVersions } from "./registry-list-versions.ts";

test("lists what the project has, what the user has and what a registry has, newest first in each", async () => {
  const project = new RegistryProject({
    ".fractary/config.json": JSON.stringify({ registries: [{ name: "shelf", type: "folder", url: "shelf" }] }),
    ".fractary/agents/critic.yaml": agent("critic", { version: "1.1.0" }),
    "~/.fractary/registry/agents/critic@1.0.0/agent.yaml": agent("critic"),
    "shelf/agents/critic.yaml": agent("critic", { version: "1.2.0" }),
    "shelf/agents/critic@2.0.0/agent.yaml": agent("critic", { version: "2.0.0" }),
  });
  const { versions } = (await project.call(registryListVersions, { name: "critic" })) as { versions: object[] };
  expect(versions).toMatchObject([
    { version: "1.1.0", source: "local" },
    { version: "1.0.0", source: "global" },
    { version: "2.0.0", source: "stockyard" },
    { version: "1.2.0", source: "stockyard" },
  ]);
  expect(await project.call(registryListVersions, { name: "critik" })).toMatchObject({ code: "AGENT_NOT_FOUND" });
  expect(await project.call(registryListVersions, { name: "critic", type: "tool" })).toMatchObject({
    code: "TOOL_NOT_FOUND",
  });
});
