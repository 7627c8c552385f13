import { expect, it } from "vitest";
import { GovernanceProject } from "../../../../../test/harness/rooms/governance.ts";

it("lists one project's artifacts by type and key, of one type where asked", async () => {
  const assistant = await new GovernanceProject().connect();
  const store = (project_id: string, artifact_type: string, key: string) =>
    assistant.get("forge_store_artifact", { project_id, artifact_type, key, content: 1 });
  for (const [project, type, key] of [
    ["a", "seal", "z"],
    ["a", "diff", "b"],
    ["a", "diff", "a"],
    ["b", "diff", "c"],
  ] as const)
    await store(project, type, key);
  const list = async (input: object) => {
    const { artifacts, ...rest } = await assistant.get("forge_list_artifacts", { project_id: "a", ...input });
    return { ...rest, keys: (artifacts as { key: string }[]).map(({ key }) => key) };
  };
  expect(await list({})).toEqual({ project_id: "a", artifact_type_filter: null, count: 3, keys: ["a", "b", "z"] });
  expect(await list({ artifact_type: "seal" })).toMatchObject({ artifact_type_filter: "seal", keys: ["z"] });
  expect(await list({ limit: 2 })).toMatchObject({ count: 2, next_cursor: expect.any(String) });
});
