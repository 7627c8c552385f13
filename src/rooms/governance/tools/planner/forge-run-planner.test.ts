import { expect, it } from "vitest";
import { GovernanceProject } from "../../../../../test/harness/rooms/governance.ts";

it("says that no model provider is configured", async () => {
  const assistant = await new GovernanceProject().connect();
  const error = await assistant.fail("forge_run_planner", { project_request: "A shop" });
  expect(error).toMatchObject({ code: "CONFIG_ERROR", message: expect.stringContaining("not configured") });
});
