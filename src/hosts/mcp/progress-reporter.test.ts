import type { ServerContext } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { ProgressReporter } from "./progress-reporter.ts";

function createReporter() {
  const sent: number[] = [];
  const mcpReq = {
    _meta: { progressToken: 1 },
    signal: new AbortController().signal,
    notify: async ({ params }: { params: { progress: number } }) => void sent.push(params.progress),
  };
  return { sent, reporter: new ProgressReporter({ mcpReq } as unknown as ServerContext) };
}

test("events are all sent, however many come at once; mere progress is not", () => {
  const { sent, reporter } = createReporter();
  for (let progress = 1; progress <= 10; progress++) reporter.report({ progress, isEvent: true });
  expect(sent).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  const other = createReporter();
  for (let progress = 1; progress <= 10; progress++) other.reporter.report({ progress });
  expect(other.sent.length).toBeLessThan(10);
});
