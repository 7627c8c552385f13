import { join, resolve } from "node:path";
import type { App } from "../../../../commons/cli/app.ts";
import { defineCommand, type Output } from "../../../../kernel/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { plain, plainJson } from "../../../../platform/terminal/text.ts";
import { choiceOf } from "../../../tickets/cli/choice.ts";
import { statusSources } from "../../model/limits.ts";
import type { ImportOutcome } from "../../model/task-model.ts";
import { deskForResult, facts, warn } from "./common.ts";

const ownName = "blocks_config.json";
const largestFile = 64 * 1_048_576;
const shownKept = 20;

const importBlocks = defineCommand({
  ...facts,
  name: "block import",
  summary: "Read blocks and tasks from a file",
  details:
    "Without a file it reads the project's blocks_config.json again. What is new is added, what differs becomes as the file says, " +
    "what the file lacks stays: all of it or none.",
  examples: [
    ["forge block import --dry-run", "What would come of it."],
    ["forge block import", "Read the project's own file again."],
    ["forge block import plan.json --statuses file", "Another file, whose statuses count too."],
  ],
  arguments: [{ name: "file", required: false, help: "Another file than blocks_config.json; - reads standard input." }],
  options: {
    "dry-run": { type: "boolean", help: "Change nothing; only say what would be changed." },
    statuses: {
      type: "string",
      choices: statusSources,
      help: "Whose statuses count where a task's differ: the one that is further along, or the file's.",
      default: "furthest",
    },
  },
  async run(app: App, { positionals: [file], options }, out) {
    const dryRun = options["dry-run"] ?? false;
    const isOwn = file === undefined || isOwnFile(app, file);
    const other = isOwn ? undefined : { text: await app.readInput(file, out.signal, largestFile), name: nameOf(file) };
    const statuses = choiceOf(statusSources, options.statuses);
    const desk = await deskForResult(app);
    const outcome = await desk.importBlocks({ other, statuses, dryRun }).catch((error: unknown) => {
      const isMissing = isOwn && error instanceof ForgeError && error.code === "NOT_FOUND";
      throw isMissing ? noOwnFile(app.project().root, error) : error;
    });
    out.data({ ...outcome, dry_run: dryRun }, () => describe(outcome, dryRun));
    warn(out, outcome.warnings);
    return 0;
  },
});

const exportBlocks = defineCommand({
  ...facts,
  name: "block export",
  summary: "Write blocks and tasks out as a blocks_config.json",
  details:
    "To stdout, or into a file. The project's own blocks_config.json is replaced where the board knows all that is in it; any " +
    "other file that is there, and one with changes that were not read, only with --force.",
  examples: [
    ["forge block export board.json", "The whole board."],
    ["forge block export blocks_config.json", "Into the project's own file."],
  ],
  arguments: [{ name: "file", required: false, help: "Where it goes; stdout unless told." }],
  options: { force: { type: "boolean", help: "Replace a file that is there." } },
  async run(app: App, { positionals: [file], options: { force = false } }, out) {
    const desk = await deskForResult(app);
    if (file !== undefined && isOwnFile(app, file)) {
      const written = await desk.exportOwnFile(force);
      out.data(
        written,
        ({ path, blocks, tasks }) => `Written: ${path} (${counted(blocks, "block")}, ${counted(tasks, "task")})`,
      );
      return 0;
    }
    const text = await desk.exportBlocks();
    if (file === undefined || file === "-") print(text, out);
    else {
      await write(app, file, text, force);
      out.data({ path: file }, () => `Written: ${plain(file)}`);
    }
    return 0;
  },
});

export const blockFiles = [importBlocks, exportBlocks];

function isOwnFile(app: App, file: string): boolean {
  return file !== "-" && resolve(file) === join(app.project().root, ownName);
}

function nameOf(file: string): string {
  return file === "-" ? "standard input" : file;
}

/** JSON can escape what a terminal would obey. */
function print(text: string, out: Output): void {
  if (out.width !== undefined || out.json) out.print(plainJson(text.trimEnd()));
  else out.exact(text);
}

async function write(app: App, file: string, text: string, force: boolean): Promise<void> {
  try {
    await app.writeOutput(file, text, { force });
  } catch (error) {
    const isThere = error instanceof ForgeError && error.code === "CONFLICT_ERROR" && !force;
    throw isThere ? alreadyThere(file, error) : error;
  }
}

function describe({ blocks, tasks, kept }: ImportOutcome, dryRun: boolean): string {
  const tally = (name: string, { added, updated, unchanged }: ImportOutcome["blocks"]) =>
    `${name}: ${added} added, ${updated} updated, ${unchanged} unchanged`;
  return [
    ...(dryRun ? ["Nothing is changed; this would be:"] : []),
    tally("Blocks", blocks),
    tally("Tasks", tasks),
    ...(kept.length > 0 ? [`Not in the file, and kept: ${kept.length}`] : []),
    ...kept.slice(0, shownKept).map((one) => `  ${plain(one)}`),
    ...(kept.length > shownKept ? [`  and ${kept.length - shownKept} more`] : []),
  ].join("\n");
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function noOwnFile(folder: string, cause: ForgeError): ForgeError {
  return new ForgeError("NOT_FOUND", `There is no ${ownName} in ${folder}.`, {
    details: { path: join(folder, ownName) },
    next: [
      "Name the file to read: `forge block import FILE`.",
      `\`forge block export ${ownName}\` writes what is on the board.`,
    ],
    cause,
  });
}

function alreadyThere(file: string, cause: ForgeError): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `${file} exists already.`, {
    details: { file },
    next: ["Give another name, or --force to replace it."],
    cause,
  });
}
