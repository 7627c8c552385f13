import { expect, test } from "vitest";
import { by, callOf } from "../../../test/harness/commons/caller.ts";
import { approveStep } from "./approve-step.ts";

test("the person is told with what a command is given, but for secrets", async () => {
  const asked: string[] = [];
  const guard = { require: async (_call: unknown, { summary }: { summary: string }) => void asked.push(summary) };
  const step = { title: "Trust the signer", input: { key: "MCowBQYDK2VwAyEA", token: "hunter2hunter2" } };
  await approveStep(guard, callOf(by()), step);
  expect(asked).toEqual(['Trust the signer (key: "MCowBQYDK2VwAyEA", token: not shown)']);
});
