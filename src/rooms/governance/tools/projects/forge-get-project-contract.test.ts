import { expect, it } from "vitest";
import { openShop } from "../../../../../test/harness/rooms/governance.ts";

it("answers with the text as it was put, from the project or the session's", async () => {
  const assistant = await (await openShop()).connect();
  const stack = { contract_type: "stack", content: "# Stack\n", version: 1, project_id: "shop", source: "project_db" };
  expect(await assistant.get("forge_get_project_contract", { project_id: "shop", contract_type: "stack" })).toEqual(
    stack,
  );
  await assistant.get("forge_set_session", { project_id: "shop" });
  expect(await assistant.get("forge_get_project_contract", { contract_type: "stack" })).toEqual(stack);
});
