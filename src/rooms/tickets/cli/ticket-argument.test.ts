import { describe, expect, test } from "vitest";
import { TicketCli } from "../../../../test/harness/rooms/tickets/ticket-cli.ts";

async function withTicket(document: Record<string, unknown> = {}): Promise<TicketCli> {
  const cli = new TicketCli();
  await cli.add(document);
  return cli;
}

describe("completion of ids", () => {
  test.each(["show", "status", "assign", "questions", "complete", "export", "edit", "execute", "ticket show"])(
    "forge %s T<Tab>",
    async (command) => {
      const cli = await withTicket();
      expect(await cli.offered(`${command} T`)).toEqual(["T-001\tREADY  Keep people signed in", ":words"]);
    },
  );

  test("leaves nothing in the ledger", async () => {
    const cli = await withTicket();
    const before = await cli.do("log --json");
    await cli.offered("show T");
    await cli.offered("questions T-001 --answer Q");
    expect(await cli.do("log --json")).toBe(before);
  });

  test("continues in the case it was started in", async () => {
    expect(await (await withTicket()).offered("show t-")).toEqual(["t-001\tREADY  Keep people signed in", ":words"]);
  });

  test("a hostile title stays on its line", async () => {
    const cli = await withTicket({ title: "a $(id) \x1b[2J" });
    expect(await cli.offered("show T")).toEqual(["T-001\tREADY  a $(id) \\x1b[2J", ":words"]);
  });

  test.each([
    ["status T-001 C", ["CREATED\t", ":words"]],
    ["assign T-001 m", ["me\tYou", ":words"]],
    ["questions T-001 --answer Q", ["Q-1=\tFor how long?", ":words"]],
    ["list --status READY,CR", ["READY,CREATED\t", ":words"]],
    ["list --assignee m", ["me\tYou", ":words"]],
    ["create --status V", ["VALIDATED\t", ":words"]],
    ["create --priority u", ["urgent\t", ":words"]],
    ["show T-001 T", [":words"]],
    ["export T-001 T", ["T-001\tREADY  Keep people signed in", ":words"]],
  ])("forge %s<Tab>", async (line, expected) => {
    const cli = await withTicket({ questions: [{ id: "Q-1", question: "For how long?" }] });
    expect(await cli.offered(line)).toEqual(expected);
  });
});

test.each([
  "list",
  "show T-001",
  "create Title",
  "status T-001",
  "assign T-001",
  "questions T-001",
  "complete T-001",
  "import none.json",
  "export T-001",
  "claim T-001",
])("being interrupted is a failure of forge %s", async (line) => {
  const cli = await withTicket({ status: "CREATED" });
  expect((await cli.run(line)).failsOnSignals).toBe(true);
});
