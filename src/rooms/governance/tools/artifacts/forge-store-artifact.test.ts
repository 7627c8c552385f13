import { expect, it } from "vitest";
import { GovernanceProject } from "../../../../../test/harness/rooms/governance.ts";

const ref = { project_id: "shop", artifact_type: "phase", key: "one" };

it("stores a value under its key, and replaces it", async () => {
  const assistant = await new GovernanceProject().connect();
  expect(await assistant.get("forge_store_artifact", { ...ref, content: { a: 1 }, ttl_hours: 0.5 })).toEqual({
    stored: true,
    store_key: "project:shop:phase:one",
    artifact_type: "phase",
    key: "one",
    ttl_hours: 0.5,
    size_chars: 7,
  });
  await assistant.get("forge_store_artifact", { ...ref, content: [] });
  expect((await assistant.get("forge_get_artifact", ref))["content"]).toEqual([]);
});

it("refuses what is larger than the limit, and keeps what was there", async () => {
  const assistant = await new GovernanceProject().connect();
  await assistant.get("forge_store_artifact", { ...ref, content: "kept" });
  await assistant.fail("forge_store_artifact", { ...ref, content: "x".repeat(4 * 1_048_576) }).catch(() => undefined);
  expect((await assistant.get("forge_get_artifact", ref))["content"]).toBe("kept");
});
