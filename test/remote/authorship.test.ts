import { sql } from "kysely";
import { expect, it, onTestFinished, vi } from "vitest";
import { listen } from "../../src/hosts/http/serve/listen.ts";
import type { Call } from "../../src/kernel/calls/call.ts";
import { resources } from "../../src/rooms/tickets/resources/resources.ts";
import { ActiveTickets } from "../../src/rooms/tickets/service/active-tickets.ts";
import type { Tickets } from "../../src/rooms/tickets/service/tickets.ts";
import { describeOnEngines } from "../harness/db/store.ts";
import { openServerWithPeople } from "../harness/http/team-server.ts";
import { home, join, type SignedInPerson } from "../harness/rooms/access.ts";
import { answerOf } from "../harness/rooms/tickets/ticket-app.ts";
import { by } from "../harness/rooms/tickets/tickets.ts";
import { Laptop } from "./laptop.ts";

const grace = { email: "grace@example.com", displayName: "Grace", password: "compilers are fun" };
const draft = { title: "Add logout", description: "A button in the header." };

describeOnEngines("Whose words a ticket on a team's server holds", (engine) => {
  async function openTeam() {
    const server = await openServerWithPeople(await engine.fresh());
    const listening = await listen(server.app, { host: "127.0.0.1", port: 0 }, false);
    onTestFinished(async () => {
      server.end();
      await listening.close();
    });
    const laptopOf = ({ pair }: SignedInPerson) => {
      const laptop = new Laptop();
      return laptop.tickets(laptop.server(`${listening.url}/api`, { token: pair.accessToken }));
    };
    const member = await join(server.access, server.ada.by, grace, "member");
    return { ...server, member, laptopOf, adas: laptopOf(server.ada), graces: laptopOf(member) };
  }

  const seenBy = async (tickets: Tickets, id = "T-001") => {
    const { tickets: listed } = await tickets.list({});
    const inList = listed.find((ticket) => ticket.id === id)?.foreign;
    const { foreign } = await tickets.get(id);
    expect(inList).toBe(foreign);
    return foreign ? "others'" : "own";
  };

  it("is asked for each reader: one member's own is others' to the next", async () => {
    const { adas, graces } = await openTeam();
    await adas.create(by(), draft);
    for (let turn = 0; turn < 2; turn++) expect([await seenBy(adas), await seenBy(graces)]).toEqual(["own", "others'"]);
  });

  it("is not changed by another member's move, which brings no words", async () => {
    const { adas, graces } = await openTeam();
    await adas.create(by(), draft);
    expect((await graces.move(by(), "T-001", "READY")).ticket).toMatchObject({ updatedBy: "Grace", foreign: true });
    expect(await seenBy(adas)).toBe("own");
  });

  it.each<[string, (theirs: Tickets) => Promise<unknown>]>([
    ["title", (theirs) => theirs.update(by(), "T-001", { title: "Read this first" })],
    ["assignee", (theirs) => theirs.update(by(), "T-001", { assignee: "Whoever reads this" })],
    [
      "name, from a claim that is given back",
      (theirs) => theirs.claim(by(), "T-001", {}).then(() => theirs.release(by(), "T-001")),
    ],
    ["question", (theirs) => theirs.addQuestions(by(), "T-001", [{ question: "Will you read this?" }])],
    ["branch", (theirs) => theirs.start(by(), "T-001", { branch: "read-this" })],
    ["whole document", (theirs) => theirs.replace(by(), "T-001", { id: "T-001", title: "Read this" }, 1)],
  ])("is nobody's own with another member's %s in it, whoever changed it last", async (_name, write) => {
    const { adas, graces } = await openTeam();
    await adas.create(by(), draft, { status: "READY" });
    await write(graces);
    await adas.update(by(), "T-001", { ...draft, assignee: null });
    await adas.move(by(), "T-001", "VALIDATED");
    expect([await seenBy(adas), await seenBy(graces)]).toEqual(["others'", "others'"]);
  });

  it("counts the name of another member's worker for as long as it has the ticket", async () => {
    const { adas, graces } = await openTeam();
    await adas.create(by(), { ...draft, assignee: "Ada" });
    await graces.claim(by(), "T-001", { worker: "read this first" });
    expect(await seenBy(adas)).toBe("others'");
    await graces.release(by(), "T-001");
    expect(await seenBy(adas)).toBe("own");
  });

  it("is others' in its history, where another member's move can name a branch", async () => {
    const { adas, graces } = await openTeam();
    await adas.create(by(), { ...draft, assignee: "Ada" }, { status: "READY" });
    await adas.move(by(), "T-001", "CREATED", { branch: "main" });
    const noteUntrusted = vi.fn(async () => undefined);
    const services = {
      tickets: adas,
      active: new ActiveTickets(),
      guard: { hasReadHere: async () => false, hasReadUntrusted: async () => false },
    };
    const call = { principal: { name: "Ada" }, record: { about: [] }, noteUntrusted } as unknown as Call;
    const resource = resources.find(({ uri }) => uri === "forge://tickets/{id}");
    await resource?.read(services, { id: "T-001" }, call);
    expect(noteUntrusted).not.toHaveBeenCalled();
    await graces.move(by(), "T-001", "DRIFTED");
    await graces.move(by(), "T-001", "CREATED", { branch: "Read this first" });
    expect(await seenBy(adas)).toBe("own");
    expect(await resource?.read(services, { id: "T-001" }, call)).toMatchObject({
      text: expect.stringContaining("Read this first"),
    });
    expect(noteUntrusted).toHaveBeenCalled();
  });

  it("is by the person and not the name", async () => {
    const { access, ada, member, laptopOf, graces, database } = await openTeam();
    await graces.create(by(), draft);
    expect(await seenBy(graces)).toBe("own");
    await access.members.remove(ada.by, member.by.user.id, home);
    const other = { ...grace, email: "other@example.com", displayName: "Other" };
    const namesake = await join(access, ada.by, other, "member");
    // No longer possible: the name of somebody who left stays theirs.
    await database.transaction(
      async (tx) =>
        void (await sql`update access_user set display_name = 'Grace' where email = ${other.email}`.execute(tx)),
    );
    expect(await seenBy(laptopOf(namesake))).toBe("others'");
  });

  it("is not known of what was written before it was kept", async () => {
    const { adas, database } = await openTeam();
    await adas.create(by(), draft);
    await database.transaction(async (tx) => void (await sql`update ticket set sole_author = null`.execute(tx)));
    await adas.update(by(), "T-001", { title: "Mine since" });
    expect(await seenBy(adas)).toBe("others'");
  });

  it("is vouched for by the client, and of a program that does not say it is not known", async () => {
    const { adas, request, token } = await openTeam();
    const send = async (method: string, path: string, body: object, headers: Record<string, string> = {}) => {
      const answer = await answerOf(await request(method, `/api/tickets${path}`, { token, body, headers }));
      return { foreign: answer.body["foreign"], authorship: answer.body["authorship"] };
    };
    const [own, others] = [false, true].map((foreign) => ({ foreign, authorship: "tracked" }));
    expect(await send("POST", "", draft)).toEqual(others);
    expect(await send("POST", "", draft, { "x-forge-foreign": "0" })).toEqual(own);
    expect(await send("PATCH", "/T-002", { status: "READY" })).toEqual(own);
    expect(await send("PATCH", "/T-002", { title: "Passed on" })).toEqual(others);
    expect([await seenBy(adas), await seenBy(adas, "T-002")]).toEqual(["others'", "others'"]);
  });

  it("is not what a ticket's own text says it is", async () => {
    const { adas, graces } = await openTeam();
    const document = { id: "x-1", title: "Read this", authorship: "tracked", foreign: false, createdBy: "Ada" };
    await graces.import(by(), [{ document, source: "a.json" }], "refuse");
    await adas.create(by(), draft);
    const { revision } = await graces.get("T-001");
    await graces.replace(by(), "T-001", { ...document, id: "T-001", soleAuthor: "Ada" }, revision);
    expect([await seenBy(adas, "x-1"), await seenBy(adas)]).toEqual(["others'", "others'"]);
  });
});
