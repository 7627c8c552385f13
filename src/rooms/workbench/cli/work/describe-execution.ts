import { sections } from "../../../../commons/cli/help-layout.ts";
import { localTime } from "../../../../commons/cli/local-time.ts";
import type { Style } from "../../../../kernel/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { ShownEvent, ShownRecord } from "../desk.ts";
import { executionColours } from "./common.ts";
import { factLines, titled } from "./described.ts";

const kindColours: Partial<Record<ShownEvent["kind"], keyof Style>> = {
  started: "cyan",
  resumed: "cyan",
  issue: "red",
  commit: "green",
  merged: "green",
  completed: "green",
  failed: "red",
  cancelled: "yellow",
  recovered: "yellow",
};

/** One step of a timeline, for a person. */
export function eventLine({ at, kind, message }: ShownEvent, style: Style): string {
  const colour = kindColours[kind];
  const word = kind.padEnd(9);
  return `${style.dim(plain(localTime(at)))}  ${colour ? style[colour](word) : word}  ${plain(message)}`;
}

/** An execution for a person to read. */
export function describeExecution(record: ShownRecord, style: Style): string {
  const { execution_id: id, task_name: name, timeline, files, tests, issues } = record;
  return sections([
    [`${style.cyan(plain(id))}  ${style.bold(plain(name))}`, ...factLines(factsOf(record, style))],
    titled(
      "Timeline",
      timeline.map((event) => `  ${eventLine(event, style)}`),
      style,
    ),
    titled("Files", files.map(fileLine), style),
    titled(
      "Tests",
      tests.map(
        ({ at, status, passed, total_tests: total, duration }) =>
          `  ${plain(localTime(at))}  ${style[status === "passed" ? "green" : "red"](status)}  ${passed} of ${total} in ${plain(duration)}`,
      ),
      style,
    ),
    titled(
      "Issues",
      issues.map(({ file, line, message }) => `  -  ${plain(`${placeOf(file, line)}${firstLine(message)}`)}`),
      style,
    ),
  ]);
}

export function fileLine({ path, action, lines_added, lines_removed }: ShownRecord["files"][number]): string {
  return `  ${action.padEnd(8)}  ${plain(path)}  +${lines_added} -${lines_removed}`;
}

/** The rest is a trace, and in the JSON. */
function firstLine(message: string): string {
  return message.split("\n", 1).join("");
}

function placeOf(file: string | undefined, line: number | undefined): string {
  if (file === undefined) return "";
  return `${line === undefined ? file : `${file}:${line}`}  `;
}

function factsOf(record: ShownRecord, style: Style): [string, string | undefined][] {
  const { status, stage, branch, base_branch: base, holder, ended_at: ended, commit_hash: commit } = record;
  const where = branch === undefined ? base : base === undefined ? branch : `${branch}, from ${base}`;
  const state = style[executionColours[status]](status);
  return [
    ["Task", plain(`${record.block_id}/${record.task_id}`)],
    ["Status", stage === status ? state : `${state}, ${plain(stage)}`],
    ["Branch", where && plain(where)],
    ["Folder", plain(record.root)],
    ["Held by", holder && plain(holder)],
    ["Started", plain(localTime(record.started_at))],
    ["Ended", ended && plain(localTime(ended))],
    ["Commit", commit && plain(commit)],
  ];
}
