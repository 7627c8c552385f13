import { expect, it } from "vitest";
import { GovernanceProject } from "../../../../../test/harness/rooms/governance.ts";

it("sets the default project, without asking whether it exists, and gives the session an id", async () => {
  const assistant = await new GovernanceProject().connect();
  const set = await assistant.get("forge_set_session", { project_id: "nowhere", build_id: "b" });
  expect(set).toMatchObject({ project_id: "nowhere", build_id: "b", session_id: expect.stringMatching(/^session_/) });
  expect((await assistant.fail("forge_get_project_context"))["message"]).toContain("nowhere");
  // Another project, the same session.
  const again = await assistant.get("forge_set_session", { project_id: "other" });
  expect(again["session_id"]).toBe(set["session_id"]);
  expect(again["build_id"]).toBeUndefined();
});
