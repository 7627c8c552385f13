import type { App } from "../../../../commons/cli/app.ts";
import { defineCommand } from "../../../../kernel/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import { completeBlock, deskForResult, facts } from "./common.ts";

const description = { type: "string", help: "What it is for." } as const;

const create = defineCommand({
  ...facts,
  name: "block create",
  summary: "Make a block",
  details: "Prints the new block's id. `forge task create` gives it tasks.",
  examples: [['forge block create Auth --description "Who somebody is"', "A part of the project."]],
  arguments: [{ name: "name", required: true, help: "Its name; no other block may have it." }],
  options: { description, id: { type: "string", help: "Its id, instead of a new one: letters, digits, _ and -." } },
  async run(app: App, { positionals: [name = ""], options: { description, id } }, out) {
    const made = await (await deskForResult(app)).createBlock({ name, description, block_id: id });
    out.data(made, ({ block_id }) => plain(block_id));
    return 0;
  },
});

const edit = defineCommand({
  ...facts,
  name: "block edit",
  summary: "Change a block's name or description",
  examples: [
    ['forge block edit Auth --name "Sign-in"', "Another name; tasks that depend on it by name then do not find it."],
  ],
  arguments: [{ name: "block", required: true, help: "The block's id or name." }],
  options: { name: { type: "string", help: "Its new name." }, description },
  complete: completeBlock,
  async run(app: App, { positionals: [ref = ""], options: { name, description } }, out) {
    if (name === undefined && description === undefined) throw nothingToChange();
    const changed = await (await deskForResult(app)).editBlock(ref, { name, description });
    out.data(changed, ({ block_id, name: now }) => `${plain(block_id)} is changed: ${plain(now)}`);
    return 0;
  },
});

export const blockChanges = [create, edit];

function nothingToChange(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "`forge block edit` was told nothing to change.", {
    next: ["Give --name or --description."],
  });
}
