import type { App } from "../../../../commons/cli/app.ts";
import type { Output } from "../../../../kernel/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import { allowedMoves, requireStatus } from "../../model/status.ts";
import { deskForResult } from "../desk-for-result.ts";
import { staleLine } from "../text/stale-line.ts";
import { statusColours } from "../text/status-colours.ts";

/** `forge status ID [STATUS]`: where a ticket stands, or where it goes. */
export async function runStatus(app: App, id: string, target: string | undefined, out: Output): Promise<number> {
  const desk = await deskForResult(app);
  if (target === undefined) {
    const { id: known, title, status, previousStatus, stale } = await desk.get(id, { partly: true });
    const moves = allowedMoves(status, previousStatus);
    const old = staleLine({ stale }, "ticket");
    out.data({ id: known, title, status, moves, ...(stale !== undefined && { stale }) }, () =>
      [
        ...(old === undefined ? [] : [out.style.yellow(old)]),
        `${plain(known)} is ${out.style[statusColours[status]](status)}: ${plain(title)}`,
        `It can become ${moves.join(", ")}.`,
      ].join("\n"),
    );
    return 0;
  }
  const { ticket, from, moved } = await desk.move(id, requireStatus(target));
  const { id: known, status } = ticket;
  out.data({ id: known, from, status, moved }, () =>
    moved
      ? `${plain(known)} is ${out.style[statusColours[status]](status)} now; it was ${from}.`
      : `${plain(known)} is ${status} already.`,
  );
  return 0;
}
