import { expect, it } from "vitest";
import { GovernanceProject } from "../../../../../test/harness/rooms/governance.ts";

it("clears one type and leaves the others", async () => {
  const assistant = await new GovernanceProject().connect();
  for (const artifact_type of ["seal", "diff"])
    await assistant.get("forge_store_artifact", { project_id: "a", artifact_type, key: "k", content: 1 });
  const clear = () => assistant.get("forge_clear_artifacts", { project_id: "a", artifact_type: "seal" });
  expect(await clear()).toEqual({ cleared_memory: 0, cleared_disk: 1, project_id: "a", artifact_type: "seal" });
  expect(await clear()).toMatchObject({ cleared_disk: 0 });
  expect(await assistant.get("forge_list_artifacts", { project_id: "a" })).toMatchObject({ count: 1 });
});
