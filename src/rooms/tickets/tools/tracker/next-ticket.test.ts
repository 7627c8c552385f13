import { expect, test } from "vitest";
import { TicketCli } from "../../../../../test/harness/rooms/tickets/ticket-cli.ts";

async function openBoard() {
  const project = new TicketCli();
  for (const title of ["First", "Second", "Third"]) await project.do(["create", title, "--status", "ready"]);
  return project;
}

const idsOf = (page: Record<string, unknown>) => (page["tickets"] as { id: string }[]).map(({ id }) => id);

test("labels and fields are set by flags, and lists are filtered by them", async () => {
  const project = await openBoard();
  await project.do("ticket edit T-1 --priority high --label web --label api");
  expect(await project.json("show T-1")).toMatchObject({ priority: "high", labels: ["web", "api"] });
  expect(idsOf(await project.json("list --label web"))).toEqual(["T-001"]);
  expect(idsOf(await project.json("list --label we"))).toEqual([]);
  await project.do("assign T-2 grace");
  expect(idsOf(await project.json("list --assignee none"))).toEqual(["T-003", "T-001"]);
  await project.do(["edit", "T-1", "--label", ""]);
  expect(await project.json("show T-1")).toMatchObject({ labels: [] });
  const { code, err } = await project.run(["edit", "T-1", "--label", 'a"b']);
  expect([code, err]).toEqual([1, expect.stringContaining("--label")]);
});

test("a blocked ticket cannot be started, and is not what comes next", async () => {
  const project = await openBoard();
  await project.do("edit T-1 --depends-on T-2 --priority urgent");
  await project.do("edit T-3 --priority low");
  expect(idsOf(await project.json("next"))).toEqual(["T-003", "T-002"]);
  expect(await project.do("next")).toContain("low priority");
  for (const line of ["status T-1 created", "execute T-1"]) {
    const { code, err } = await project.run(line);
    expect([line, code, err]).toEqual([line, 1, expect.stringContaining("T-002 must be done first")]);
  }
  const { err } = await project.run("edit T-2 --depends-on T-1");
  expect(err).toContain("T-002 → T-001 → T-002");
  expect((await project.run("edit T-2 --depends-on T-9")).err).toContain("T-009");
  await project.do("status T-2 created");
  await project.do("complete T-2");
  expect(idsOf(await project.json("next"))).toEqual(["T-001", "T-003"]);
  await project.do("status T-1 created");
});

test("a project's own words for statuses are shown to people and understood; scripts get the specified names", async () => {
  const project = await openBoard();
  project.write(".forge/project.json", '{"statuses":{"Doing":"CREATED","Ready to go":"READY"}}');
  expect(await project.do("status T-1 doing")).toBe("Moved T-001 from Ready to go to Doing.");
  expect(await project.do("list --plain --status doing")).toContain("Doing");
  expect(await project.do("show T-1")).toMatch(/Status: +Doing, can move to COMPLETE/);
  expect(await project.json("show T-1")).toMatchObject({ status: "CREATED" });
  expect(idsOf(await project.json(["list", "--status", "Doing,ready to go"]))).toEqual(["T-003", "T-002", "T-001"]);
  project.write(".forge/project.json", '{"statuses":{"Doing":"BUSY"}}');
  expect((await project.run("list")).err).toContain("BUSY");
});
