import { sections } from "../../../../commons/cli/print/help-layout.ts";
import { localTime } from "../../../../commons/cli/print/local-time.ts";
import type { Style } from "../../../../kernel/definitions/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import { factLines, section } from "../layout.ts";
import type { EventResult, RecordResult } from "../results.ts";
import { executionColours } from "../shared.ts";

const eventColours: Partial<Record<EventResult["kind"], keyof Style>> = {
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

/** One line of a timeline. */
export function formatEventLine({ at, kind, message }: EventResult, style: Style): string {
  const colour = eventColours[kind];
  const word = kind.padEnd(9);
  return `${style.dim(plain(localTime(at)))}  ${colour ? style[colour](word) : word}  ${plain(message)}`;
}

export function formatFileLine({ path, action, lines_added, lines_removed }: RecordResult["files"][number]): string {
  return `  ${action.padEnd(8)}  ${plain(path)}  +${lines_added} -${lines_removed}`;
}

export function describeExecution(record: RecordResult, style: Style): string {
  const { execution_id: id, task_name: name, timeline, files, tests, issues } = record;
  return sections([
    [`${style.cyan(plain(id))}  ${style.bold(plain(name))}`, ...factLines(listFacts(record, style))],
    section(
      "Timeline",
      timeline.map((event) => `  ${formatEventLine(event, style)}`),
      style,
    ),
    section("Files", files.map(formatFileLine), style),
    section(
      "Tests",
      tests.map(
        ({ at, status, passed, total_tests: total, duration }) =>
          `  ${plain(localTime(at))}  ${style[status === "passed" ? "green" : "red"](status)}  ${passed} of ${total} in ${plain(duration)}`,
      ),
      style,
    ),
    section(
      "Issues",
      issues.map(({ file, line, message }) => `  -  ${plain(`${formatPlace(file, line)}${firstLine(message)}`)}`),
      style,
    ),
  ]);
}

/** The rest is a stack trace, and in the JSON. */
function firstLine(message: string): string {
  return message.split("\n", 1).join("");
}

function formatPlace(file: string | undefined, line: number | undefined): string {
  if (file === undefined) return "";
  return `${line === undefined ? file : `${file}:${line}`}  `;
}

function listFacts(record: RecordResult, style: Style): [string, string | undefined][] {
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
