import { expect, it } from "vitest";
import { GovernanceProject } from "../../../../../test/harness/rooms/governance.ts";

const ref = { project_id: "shop", artifact_type: "phase", key: "one" };

it("answers with the content, its age and the time that is left", async () => {
  const assistant = await new GovernanceProject().connect();
  await assistant.get("forge_store_artifact", { ...ref, content: "text", ttl_hours: 1 });
  const read = await assistant.get("forge_get_artifact", ref);
  expect(read).toMatchObject({ ...ref, content: "text", source: "disk", size_chars: 6 });
  expect(read["ttl_remaining_seconds"]).toBeGreaterThan(3_500);
});

it("says which project, type and key it looked for", async () => {
  const assistant = await new GovernanceProject().connect();
  const error = await assistant.fail("forge_get_artifact", ref);
  expect(error).toMatchObject({ code: "NOT_FOUND", details: ref });
});
