import { expect, test } from "vitest";
import { TicketCli } from "../../../../test/harness/rooms/tickets/ticket-cli.ts";

test("claims a ticket for a while, and releases it", async () => {
  const cli = new TicketCli();
  await cli.add();
  expect(await cli.do("claim T-001 --worker nightly --minutes 5")).toMatch(/^Claimed T-001 until \d{4}-\d\d-\d\d /);
  expect(await cli.json("show T-001")).toMatchObject({ claim: { holder: expect.stringContaining(":nightly") } });
  const other = await cli.run("claim T-001 --worker other");
  expect(other.code).toBe(1);
  expect(other.err).toMatch(/T-001 is claimed by .*:nightly for another 5 minutes\. Nothing was changed\./);
  expect(other.err).toContain("Run `forge release T-001` on your own terminal, to release the claim");
  expect(await cli.do("release T-001")).toBe("Released T-001.");
  expect(await cli.json("show T-001")).not.toHaveProperty("claim");
});

test("as JSON, what an assistant gets", async () => {
  const cli = new TicketCli();
  await cli.add();
  expect(await cli.json("ticket claim T-001 --worker w")).toMatchObject({ ticketId: "T-001", claimed: true });
  expect(await cli.json("ticket release T-001")).toEqual({ ticketId: "T-001", claimed: false, status: "READY" });
});
