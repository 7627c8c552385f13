import { expect, it } from "vitest";
import { openShop } from "../../../../../test/harness/rooms/governance.ts";

it("lists the newest version of each contract", async () => {
  const assistant = await (await openShop()).connect();
  expect(await assistant.get("forge_list_project_contracts", { project_id: "shop" })).toMatchObject({
    project_id: "shop",
    items: [{ contract_type: "stack", version: 1 }],
    count: 1,
  });
});
