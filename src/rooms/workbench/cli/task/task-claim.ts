import { commandFor } from "../../../../commons/cli/command-for.ts";
import { localTime } from "../../../../commons/cli/print/local-time.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { forgeClaimTask } from "../../tools/board/forge-claim-task.ts";
import { commandFacts } from "../shared.ts";
import { suggestTask } from "../suggestions.ts";
import { taskArguments } from "../task-argument.ts";

export const taskClaim = commandFor<typeof forgeClaimTask>({
  ...commandFacts,
  tool: "forge_claim_task",
  name: "task claim",
  summary: "Claim a task for a while",
  details:
    "No assistant works on the task or changes it in the meantime. The claim expires by itself, or ends with `forge task release`.",
  examples: [["forge task claim Auth/Ab12Cd --minutes 120", "Claim a task for two hours."]],
  arguments: taskArguments,
  only: true,
  options: {
    minutes: { help: "How long (default: 30)." },
    worker: { value: "NAME", help: "Name of the holder; required in scripts, where there is no terminal." },
  },
  complete: suggestTask,
  print: ({ block_id, task_id, holder = "", until = "" }, out) =>
    out.print(plain(`${block_id}/${task_id} is claimed by ${holder} until ${localTime(until)}.`)),
});
