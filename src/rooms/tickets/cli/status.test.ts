import { describe, expect, test } from "vitest";
import { TicketCli } from "../../../../test/harness/rooms/tickets/ticket-cli.ts";

test("without an id it is the project's status", async () => {
  const cli = new TicketCli();
  expect(await cli.do("status")).toContain(`Project:   ${cli.root}`);
});

describe("of a ticket", () => {
  test("shows the status and where it can move", async () => {
    const cli = new TicketCli();
    await cli.add({ title: "A\x1b[2J" });
    expect(await cli.do("status t-001")).toBe(
      "T-001 is READY: A\\x1b[2J\nIt can move to CREATED, DRIFTED, VALIDATED, DRAFT or ARCHIVED.",
    );
    expect(await cli.json("status T-001")).toEqual({
      id: "T-001",
      title: "A\x1b[2J",
      status: "READY",
      moves: ["CREATED", "DRIFTED", "VALIDATED", "DRAFT", "ARCHIVED"],
    });
    expect(await cli.do("ticket status T-001")).toContain("T-001 is READY");
  });

  test.each(["created", "CREATED", "Executing", "wip", "in-progress", "doing"])(
    "%s moves it to CREATED",
    async (name) => {
      const cli = new TicketCli();
      await cli.add();
      expect(await cli.do(`status T-001 ${name}`)).toBe("Moved T-001 from READY to CREATED.");
    },
  );

  test.each([
    ["todo", "READY"],
    ["done", "COMPLETE"],
  ])("%s means %s", async (word, status) => {
    const cli = new TicketCli();
    await cli.add({ status: "CREATED" });
    expect(await cli.json(`status T-001 ${word}`)).toEqual({ id: "T-001", from: "CREATED", status, moved: true });
  });

  test("moving to the current status changes nothing", async () => {
    const cli = new TicketCli();
    await cli.add();
    expect(await cli.do("status T-001 ready")).toBe("T-001 is already READY.");
    expect(await cli.json("status T-001 ready")).toEqual({ id: "T-001", from: "READY", status: "READY", moved: false });
    expect(await cli.json("show T-001")).toMatchObject({ revision: 1 });
  });

  test.each([
    ["status T-001 nowhere", 'Unknown status "nowhere".'],
    ["status T-001 complet", 'Unknown status "complet". Did you mean COMPLETE?'],
    ["status T-001 dine", 'Unknown status "dine". Did you mean COMPLETE?'],
    [
      "status T-001 complete",
      "T-001 cannot move from READY to COMPLETE.\n  From READY it can move to CREATED, DRIFTED, VALIDATED, DRAFT or ARCHIVED.",
    ],
    ["status T-009 ready", "Ticket T-009 not found."],
    ["status T-001 ready now", "is one too many"],
  ])("forge %s is an error", async (line, message) => {
    const cli = new TicketCli();
    await cli.add();
    const { code, out, err } = await cli.run(line);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(message);
  });

  test("the statuses are in the details of an unknown one", async () => {
    const { out } = await new TicketCli().run("status T-001 nowhere --json");
    expect(JSON.parse(out)).toMatchObject({ code: "VALIDATION_ERROR", details: { statuses: expect.any(Array) } });
  });
});

test("the ledger names the command", async () => {
  const cli = new TicketCli();
  await cli.add();
  await cli.do("status T-001");
  await cli.do("status T-001 created");
  const entries = JSON.parse(await cli.do("log --json --about ticket:T-001")) as unknown[];
  expect(entries.slice(-2)).toMatchObject([
    { kind: "command", name: "forge status", effect: "read" },
    { kind: "command", name: "forge status", effect: "set" },
  ]);
});
