import { expect, it } from "vitest";
import { pageFromServer, ticketFromServer } from "./mappers.ts";

const own = {
  id: "T-001",
  title: "Add logout",
  status: "READY",
  createdAt: "2026-11-01T12:00:00.000Z",
  updatedAt: "2026-11-01T12:00:00.000Z",
  revision: 1,
  createdBy: "Ada",
  updatedBy: "Ada",
  foreign: false,
  authorship: "tracked",
};

it("takes for one's own only what a server vouches is one's own from the first on", () => {
  expect(ticketFromServer(own, "vouches")).toMatchObject({ foreign: false, document: {} });
  expect(pageFromServer({ tickets: [own] }).tickets[0]?.foreign).toBe(false);
});

it.each([
  ["that the server calls foreign", { foreign: true }],
  ["of which the server does not say", { foreign: undefined }],
  ["of a server that does not keep whose words are in it", { authorship: undefined }],
])("takes for others' a ticket %s", (_name, said) => {
  expect(ticketFromServer({ ...own, ...said }, "vouches").foreign).toBe(true);
  expect(pageFromServer({ tickets: [{ ...own, ...said }] }).tickets[0]?.foreign).toBe(true);
});

it("takes for others' whatever is on a server of a kind that does not vouch, though the ticket says otherwise", () => {
  expect(ticketFromServer(own, "says nothing").foreign).toBe(true);
});
