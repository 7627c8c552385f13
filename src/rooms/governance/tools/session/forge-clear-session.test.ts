import { expect, it } from "vitest";
import { GovernanceProject } from "../../../../../test/harness/rooms/governance.ts";

it("forgets the session, and does nothing where there is none", async () => {
  const assistant = await new GovernanceProject().connect();
  await assistant.get("forge_set_session", { project_id: "a" });
  expect(await assistant.get("forge_clear_session")).toEqual({ cleared: true });
  expect(await assistant.get("forge_clear_session")).toEqual({ cleared: false });
  expect((await assistant.fail("forge_get_project_context"))["code"]).toBe("VALIDATION_ERROR");
});
