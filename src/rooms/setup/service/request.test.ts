import { expect, test } from "vitest";
import { nothing, SetupPlace } from "../../../../test/harness/rooms/setup.ts";

test("a client that has no file of that scope", () => {
  expect(() => new SetupPlace().setup.plan({ ...nothing, clients: ["roo"], scope: "user" })).toThrow(
    "has no user file",
  );
});

test("an unknown client", () => {
  const plan = () => new SetupPlace().setup.plan({ ...nothing, clients: ["claude"] });
  expect(plan).toThrow(expect.objectContaining({ next: [expect.stringContaining("claude-code"), expect.anything()] }));
});
