import { expect, it } from "vitest";
import { openShop } from "../../../../../test/harness/rooms/governance.ts";

it("has the project's contracts without their text, and its builds", async () => {
  const project = await openShop();
  await project.do("build start --project shop");
  const assistant = await project.connect();
  expect(await assistant.get("forge_get_project_context", { project_id: "shop" })).toEqual({
    project: { id: "shop", name: "Shop", status: "active" },
    contracts: [{ contract_type: "stack", version: 1, size_chars: 8, updated_at: expect.any(String) }],
    latest_batch: 1,
    build_count: 1,
  });
});
