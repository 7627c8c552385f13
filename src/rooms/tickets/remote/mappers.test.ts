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

it("a ticket is the user's own only if the server tracked its author from the start", () => {
  expect(ticketFromServer(own, "tracked")).toMatchObject({ foreign: false, document: {} });
  expect(pageFromServer({ tickets: [own] }).tickets[0]?.foreign).toBe(false);
});

it.each([
  ["that the server calls foreign", { foreign: true }],
  ["where the server does not say", { foreign: undefined }],
  ["of a server that does not track authors", { authorship: undefined }],
])("a ticket %s counts as written by others", (_name, said) => {
  expect(ticketFromServer({ ...own, ...said }, "tracked").foreign).toBe(true);
  expect(pageFromServer({ tickets: [{ ...own, ...said }] }).tickets[0]?.foreign).toBe(true);
});

it("on a server that tracks no authors, every ticket counts as written by others", () => {
  expect(ticketFromServer(own, "unknown").foreign).toBe(true);
});
