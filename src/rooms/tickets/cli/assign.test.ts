import { expect, test } from "vitest";
import { TicketCli } from "../../../../test/harness/rooms/tickets/ticket-cli.ts";
import { userName } from "../../../platform/host/user-name.ts";

const me = userName();

test.each([
  ["assign T-001", `Assigned T-001 to ${me}.`, me],
  ["assign t-1 me", `Assigned T-001 to ${me}.`, me],
  ["assign T-001 grace", "Assigned T-001 to grace.", "grace"],
  ["ticket assign T-001 grace", "Assigned T-001 to grace.", "grace"],
  ["assign T-001 --none", "T-001 is now unassigned.", undefined],
])("forge %s", async (line, printed, assignee) => {
  const cli = new TicketCli();
  await cli.add({ assignedTo: "eve" });
  expect(await cli.do(line)).toBe(printed);
  expect((await cli.json("show T-001"))["assignee"]).toBe(assignee);
});

test("as JSON", async () => {
  const cli = new TicketCli();
  await cli.add();
  expect(await cli.json("assign T-001 grace")).toEqual({ id: "T-001", assignee: "grace" });
  expect(await cli.json("assign T-001 --none")).toEqual({ id: "T-001", assignee: null });
});

test.each([
  [["assign", "T-001", "grace", "--none"], "A name and --none contradict each other."],
  [["assign", "T-001", " "], "WHO: must not be empty."],
  [["assign", "T-001", "x".repeat(201)], "WHO: must have at most 200 characters."],
  [["assign", "T-001", "--title", "Other"], 'Unknown option "--title"'],
])("forge %j is an error", async (line, message) => {
  const cli = new TicketCli();
  await cli.add({ assignedTo: "eve" });
  const { code, err } = await cli.run(line);
  expect(code).toBe(1);
  expect(err).toContain(message);
  expect(await cli.json("show T-001")).toMatchObject({ assignee: "eve", revision: 1 });
});
