import type { App } from "../../../../commons/cli/app.ts";
import { localTime } from "../../../../commons/cli/local-time.ts";
import { defineCommand } from "../../../../kernel/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import { deskForResult, facts } from "./common.ts";
import { completeTask, taskArguments, taskReference } from "./task-reference.ts";

const claim = defineCommand({
  ...facts,
  name: "task claim",
  summary: "Keep a task for yourself for a while",
  details: "No assistant works on it or changes it meanwhile. The claim ends by itself, or with `forge task release`.",
  examples: [["forge task claim Auth/Ab12Cd --minutes 120", "It is yours for two hours."]],
  arguments: taskArguments,
  options: {
    minutes: { type: "number", value: "N", integer: true, min: 1, max: 480, help: "For how long.", default: 30 },
    worker: { type: "string", value: "NAME", help: "Whose it is; needed in a script, where nobody is at a terminal." },
  },
  complete: completeTask,
  async run(app: App, { positionals, options: { minutes, worker } }, out) {
    const desk = await deskForResult(app);
    const claimed = await desk.claimTask({ ...taskReference(positionals), minutes, worker });
    out.data(claimed, ({ block_id, task_id, holder = "", until = "" }) =>
      plain(`${block_id}/${task_id} is claimed by ${holder} until ${localTime(until)}.`),
    );
    return 0;
  },
});

const release = defineCommand({
  ...facts,
  name: "task release",
  summary: "End the claim on a task, on a terminal also an assistant's",
  examples: [["forge task release Auth/Ab12Cd", "Anybody may take it."]],
  arguments: taskArguments,
  complete: completeTask,
  async run(app: App, { positionals }, out) {
    const released = await (await deskForResult(app)).releaseTask(taskReference(positionals));
    out.data(released, ({ block_id, task_id }) => plain(`${block_id}/${task_id} is free.`));
    return 0;
  },
});

export const taskClaims = [claim, release];
