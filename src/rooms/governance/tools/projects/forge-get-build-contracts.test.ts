import { expect, it } from "vitest";
import { openShop } from "../../../../../test/harness/rooms/governance.ts";

it("answers with what the build has pinned", async () => {
  const project = await openShop();
  const build_id = await project.do("build start --project shop");
  const assistant = await project.connect();
  expect(await assistant.get("forge_get_build_contracts", { build_id })).toEqual({
    build_id,
    batch: 1,
    pinned_at: expect.any(String),
    contracts: [{ contract_type: "stack", content: "# Stack\n" }],
  });
  expect((await assistant.fail("forge_get_build_contracts", { build_id: "none" }))["code"]).toBe("NOT_FOUND");
});
