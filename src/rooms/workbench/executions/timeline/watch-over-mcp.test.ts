import { expect, test } from "vitest";
import { connectClient, eras } from "../../../../../test/harness/mcp/client.ts";
import { makeHost } from "../../../../../test/harness/mcp/fixture-host.ts";
import { openRoom } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { forgeCancelExecution } from "../../tools/executions/forge-cancel-execution.ts";
import { forgeExecuteTask } from "../../tools/executions/forge-execute-task.ts";
import { forgeGetExecution } from "../../tools/executions/forge-get-execution.ts";
import { forgeWatchExecution } from "../../tools/executions/forge-watch-execution.ts";

type Services = Pick<WorkbenchServices, "executions">;
type Event = { seq: number; message: string };

test.each(eras)(
  "a client (%s) that watches gets every event, however fast they come",
  async (era) => {
    const room = openRoom();
    const { blockId, id: taskId } = await room.task();
    const started = await room.ok(forgeExecuteTask, { block_id: blockId, task_id: taskId });
    const execution_id = String(started["execution_id"]);
    const toolset = {
      name: "workbench",
      title: "Workbench",
      guidance: "",
      tools: [forgeWatchExecution],
      prompts: [],
      resources: [],
    };
    const { host, runtime } = makeHost<Services>([toolset], { executions: room.executions });
    // What watching finds in git is recorded, with the entry of the call.
    Object.assign(runtime, room.runtime);
    const client = await connectClient(host, era);
    const told: string[] = [];
    const call = (after_event: number, wait_seconds: number) =>
      client.callTool(
        { name: "forge_watch_execution", arguments: { execution_id, after_event, wait_seconds } },
        { onprogress: ({ message = "" }) => void told.push(message) },
      );
    const watching = call(0, 600);
    // In bursts, as an assistant that writes several files at once.
    for (let burst = 0; burst < 5; burst++) {
      room.put(Object.fromEntries(Array.from({ length: 4 }, (_, index) => [`f${burst}-${index}.txt`, "x\n"])));
      await room.ok(forgeGetExecution, { execution_id });
    }
    room.git("clean", "--quiet", "--force");

    await room.ok(forgeCancelExecution, { execution_id });
    const { timeline } = await room.ok<{ timeline: Event[] }>(forgeGetExecution, { execution_id, full: true });
    const seen: Event[] = [];
    let page = (await watching).structuredContent as { events: Event[]; last_event: number; more_events?: number };
    for (;;) {
      seen.push(...page.events);
      if (page.more_events === undefined) break;
      page = (await call(page.last_event, 0)).structuredContent as typeof page;
    }
    expect(timeline.length).toBeGreaterThan(20);
    expect(seen.map(({ seq }) => seq)).toEqual(timeline.map(({ seq }) => seq));
    expect(new Set(told)).toEqual(new Set(timeline.map(({ message }) => message)));
  },
  60_000,
);
