import { expect, it } from "vitest";
import { GovernanceProject } from "../../../../../test/harness/rooms/governance.ts";

async function openShop() {
  const project = new GovernanceProject({ "stack.md": "# Stack\n" });
  await project.do("project create Shop --id shop");
  await project.do(`project contract put stack ${project.root}/stack.md --project shop`);
  return project;
}

it("lists the newest version of each contract", async () => {
  const assistant = await (await openShop()).connect();
  expect(await assistant.get("forge_list_project_contracts", { project_id: "shop" })).toMatchObject({
    project_id: "shop",
    items: [{ contract_type: "stack", version: 1 }],
    count: 1,
  });
});
