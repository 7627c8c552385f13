import { hangingLines } from "../../../../commons/cli/print/text-lines.ts";
import type { Style } from "../../../../kernel/definitions/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { TicketRecords } from "../../model/records/schema.ts";

const maxShown = 5;
const commitLength = 7;

/** The executions of a ticket, latest last. */
export function workLines({ work = [] }: TicketRecords): string[] {
  const earlier = work.length > maxShown ? [`  … ${work.length - maxShown} earlier`] : [];
  const shown = work.slice(-maxShown).map(({ execution, status, branch, commit, into, tests, by, agent, task }) => {
    const parts = [
      `${status}${commit === undefined ? "" : ` ${commit.slice(0, commitLength)}`}${into === undefined ? "" : ` into ${into}`}`,
      ...(branch === undefined || status !== "started" ? [] : [`on ${branch}`]),
      ...(task === undefined ? [] : [`task ${task}`]),
      ...(tests ? [`tests ${tests.status} (${tests.passed} passed, ${tests.failed} failed)`] : []),
      agent === undefined ? by : `${by} with ${agent}`,
    ];
    return `  ${plain(`${execution}: ${parts.join(", ")}`)}`;
  });
  return [...earlier, ...shown];
}

export function commentLines({ comments = [] }: TicketRecords, style: Style): string[] {
  return comments.flatMap(({ by, at, text }) => [
    `  ${style.dim(plain(`${by}, ${at.slice(0, 10)}:`))}`,
    ...hangingLines(" ", text),
  ]);
}
