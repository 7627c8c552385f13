import type { App } from "../../../../commons/cli/app.ts";
import { defineCommand, type Output } from "../../../../kernel/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import { choiceOf } from "../../../tickets/cli/choice.ts";
import { taskStatuses } from "../../model/limits.ts";
import type { ChangedTask } from "../desk.ts";
import { blockWords, completeBlock, deskForResult, facts, warn } from "./common.ts";
import { completeTask, taskArguments, taskName, taskReference } from "./task-reference.ts";

/** What a task says, as options; each is a field of the tool's. */
const saying = {
  description: { type: "string", help: "What is to be done." },
  criterion: { type: "list", help: "What must be true when it is done: one sentence that can be checked." },
  "depends-on": {
    type: "list",
    value: "REF",
    help: "What has to be done before: a task's id, BLOCK/TASK, or a block.",
  },
  file: { type: "list", value: "PATH", path: "file", help: "A file it touches." },
  signature: { type: "list", help: "A function it is to have." },
  test: { type: "list", help: "What is to be tested." },
  effort: { type: "string", help: "How much work it is, in any words." },
  ticket: { type: "string", value: "ID", help: "The ticket that it belongs to." },
} as const;

type Said = {
  description: string | undefined;
  criterion: string[] | undefined;
  "depends-on": string[] | undefined;
  file: string[] | undefined;
  signature: string[] | undefined;
  test: string[] | undefined;
  effort: string | undefined;
  ticket: string | undefined;
};

const create = defineCommand({
  ...facts,
  name: "task create",
  summary: "Write a task down",
  details: "Prints the new task as BLOCK/TASK.",
  examples: [
    ['forge task create Auth "Add sign-in" --criterion "A token comes back"', "With what must be true."],
    ['forge task create Auth "Sign out" --depends-on Ab12Cd', "One that waits for another."],
  ],
  arguments: [
    { name: "block", required: true, help: "The block it belongs to, by id or name." },
    { name: "name", required: true, help: "What is to be done, in one line." },
  ],
  options: saying,
  complete: async (app: App, place) => (place.option === "depends-on" ? taskWords(app) : completeBlock(app, place)),
  async run(app: App, { positionals: [block_id = "", task_name = ""], options }, out) {
    const desk = await deskForResult(app);
    const made = await desk.createTask({ block_id, task_name, ...fieldsOf(options) });
    out.data(made, ({ task }) => plain(taskName(task)));
    warn(out, made.warnings);
    return 0;
  },
});

const edit = defineCommand({
  ...facts,
  name: "task edit",
  summary: "Change what a task says, or its status",
  details:
    "Only what is given changes. A list is given whole; an empty text clears a field. A status is set by work on the task; on a " +
    "terminal you may also set it yourself.",
  examples: [
    ["forge task edit Auth/Ab12Cd --status pending", "Open a failed task again."],
    ['forge task edit Auth/Ab12Cd --criterion "It works" --criterion "It ends"', "Other criteria."],
    ['forge task edit Auth Ab12Cd --depends-on ""', "It waits for nothing any more."],
  ],
  arguments: taskArguments,
  options: {
    name: { type: "string", help: "Its new name." },
    ...saying,
    "no-ticket": { type: "boolean", help: "It belongs to no ticket any more." },
    status: { type: "string", choices: taskStatuses, help: "Where it stands." },
    revision: {
      type: "number",
      value: "N",
      integer: true,
      min: 1,
      help: "Refuse where it is at another revision than this by now.",
    },
  },
  complete: async (app: App, place) => (place.option === "depends-on" ? taskWords(app) : completeTask(app, place)),
  async run(app: App, { positionals, options }, out) {
    const { name, status, revision, "no-ticket": none } = options;
    if (none && options.ticket !== undefined) throw ticketOrNone();
    const changes = {
      ...fieldsOf(options),
      task_name: name,
      status: choiceOf(taskStatuses, status),
      ...(none && { ticket_id: null }),
    };
    if (Object.values(changes).every((value) => value === undefined)) throw nothingToChange();
    const desk = await deskForResult(app);
    const changed = await desk.updateTask({ ...taskReference(positionals), ...changes, expected_revision: revision });
    showChanged(changed, out);
    return 0;
  },
});

export const taskChanges = [create, edit];

function fieldsOf(said: Said) {
  return {
    description: said.description,
    acceptance_criteria: listed(said.criterion),
    dependencies: listed(said["depends-on"]),
    files_affected: listed(said.file),
    function_signatures: listed(said.signature),
    testing_requirements: listed(said.test),
    estimated_effort: said.effort,
    ticket_id: said.ticket,
  };
}

/** `--file ""` is how a list is emptied. */
function listed(words: string[] | undefined): string[] | undefined {
  return words?.filter((word) => word !== "");
}

async function taskWords(app: App) {
  const tasks = await (await app.workbench()).suggest.tasks(undefined);
  const words = tasks.map(({ blockId, id, name }) => ({ value: `${blockId}/${id}`, help: name }));
  return [...words, ...(await blockWords(app))];
}

function showChanged(changed: ChangedTask, out: Output): void {
  out.data(changed, ({ task }) => `${plain(taskName(task))} is changed: ${task.status}, ${plain(task.name)}`);
  warn(out, changed.warnings);
}

function nothingToChange(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "`forge task edit` was told nothing to change.", {
    next: ["Give at least one of its options; `forge task edit --help` shows them."],
  });
}

function ticketOrNone(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "--ticket and --no-ticket contradict each other.", {
    next: ["Give one of them."],
  });
}
