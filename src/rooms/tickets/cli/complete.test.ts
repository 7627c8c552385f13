import { expect, test } from "vitest";
import { TicketCli } from "../../../../test/harness/rooms/tickets/ticket-cli.ts";

test("moves the ticket to COMPLETE with a summary and the divergences", async () => {
  const cli = new TicketCli();
  await cli.add({ status: "CREATED" });
  const line = [..."complete T-001 --summary Kept. --divergence".split(" "), "session | a day|an hour |auditors"];
  expect(await cli.do(line)).toBe("T-001 is COMPLETE: 0 files changed.");
  expect(await cli.json("show T-001")).toMatchObject({
    status: "COMPLETE",
    changeRecord: {
      executionSummary: "Kept.",
      divergences: [{ area: "session", intended: "a day", actual: "an hour", justification: "auditors" }],
    },
  });
});

test.each(["complete", "done", "ticket complete", "ticket done"])("forge %s --json prints the ticket", async (name) => {
  const cli = new TicketCli();
  await cli.add({ status: "CREATED" });
  const done = await cli.json(`${name} T-001`);
  expect(done).toMatchObject({ id: "T-001", status: "COMPLETE" });
  expect(done).not.toHaveProperty("document");
});

test.each(["a|b|c", "a|b|c|d|e", "a||c|d", "one"])("the divergence %j is an error", async (divergence) => {
  const cli = new TicketCli();
  await cli.add({ status: "CREATED" });
  const { code, err } = await cli.run(["complete", "T-001", `--divergence=${divergence}`]);
  expect(code).toBe(1);
  expect(err).toContain(`A divergence cannot be "${divergence}".\n  Write four texts separated by |`);
  expect(await cli.json("show T-001")).toMatchObject({ status: "CREATED" });
});

test.each([
  ["READY", "T-001 cannot move from READY to COMPLETE."],
  [
    "COMPLETE",
    "T-001 is already COMPLETE.\n  Run `forge complete --correct T-001` to correct the record of its work.\n  Run `forge status T-001 CREATED` to continue its work.",
  ],
])("a ticket that is %s cannot be completed", async (status, message) => {
  const cli = new TicketCli();
  await cli.add({ status });
  const { code, err } = await cli.run("complete T-001");
  expect(code).toBe(1);
  expect(err).toContain(message);
});
