import { commandFor } from "../../../../commons/cli/command-for.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { forgeClaimTask } from "../../tools/board/forge-claim-task.ts";
import { commandFacts } from "../shared.ts";
import { suggestTask } from "../suggestions.ts";
import { taskArguments } from "../task-argument.ts";

export const taskRelease = commandFor<typeof forgeClaimTask>({
  ...commandFacts,
  tool: "forge_claim_task",
  name: "task release",
  summary: "Release the claim on a task",
  details: "On a terminal you can also release the claim of an assistant.",
  examples: [["forge task release Auth/Ab12Cd", "Let others work on the task."]],
  arguments: taskArguments,
  only: true,
  fixed: { release: true },
  complete: suggestTask,
  print: ({ block_id, task_id }, out) => out.print(plain(`Released ${block_id}/${task_id}.`)),
});
