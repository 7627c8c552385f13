import type { App } from "../../../../commons/cli/app.ts";
import type { Output } from "../../../../kernel/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { PushedTickets } from "../../../access/remote/desk.ts";

const mostListed = 50;

export async function runPushLocal(app: App, out: Output): Promise<number> {
  app.failOnSignals();
  const desk = await app.access();
  try {
    const pushed = await desk.pushLocal(out.signal, (done, total) => out.progress(`${done} of ${total} tickets`));
    out.data(pushed, () => describe(pushed, out));
  } finally {
    out.progress(undefined);
  }
  return 0;
}

function describe({ server, team, moved, before }: PushedTickets, { style }: Output): string {
  const renamed = moved.filter(({ id, newId }) => id !== newId);
  const listed = renamed
    .slice(0, mostListed)
    .map(({ id, newId }) => `  ${plain(id)} is ${style.bold(plain(newId))} there`);
  return [
    `${counted(moved.length)} moved to ${plain(server)}, team ${plain(team)}.`,
    ...(before.length === 0 ? [] : [`${counted(before.length)} had been moved before.`]),
    ...(renamed.length === 0 ? [] : [`New ids, since theirs were taken: ${renamed.length}`, ...listed]),
    ...(renamed.length > mostListed ? [`  and ${renamed.length - mostListed} more; --json lists all`] : []),
  ].join("\n");
}

function counted(number: number): string {
  return `${number} ${number === 1 ? "ticket" : "tickets"}`;
}
