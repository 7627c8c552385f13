import { expect, test } from "vitest";
import { TicketCli } from "../../../../../test/harness/rooms/tickets/ticket-cli.ts";

test("comments are kept with their authors, and a change of the text cannot touch them", async () => {
  const project = new TicketCli();
  await project.do(["create", "First", "--status", "ready"]);
  await project.do(["comment", "T-1", "Down until Monday."]);
  expect(await project.do("show T-1")).toContain("Down until Monday.");
  const file = project.file("t.json", JSON.stringify({ id: "T-001", title: "New", records: { comments: [] } }));
  await project.do(["import", file, "--on-existing", "replace"]);
  expect(await project.json("show T-1")).toMatchObject({
    title: "New",
    records: { comments: [{ id: "M-1", text: "Down until Monday." }] },
  });
});
