import type { App } from "../../../../commons/cli/app.ts";
import type { Output } from "../../../../kernel/command.ts";
import { deskForResult } from "../desk-for-result.ts";
import { describeTicket } from "../text/describe-ticket.ts";
import { historyLines } from "../text/history-lines.ts";

export async function runShow(
  app: App,
  { id, history: wantsHistory }: { id: string; history: boolean },
  out: Output,
): Promise<number> {
  const desk = await deskForResult(app);
  const { document: _document, ...ticket } = await desk.get(id, { partly: true });
  const history = wantsHistory ? await desk.history(ticket.id) : undefined;
  out.data({ ...ticket, ...(history && { history }) }, () =>
    [describeTicket(ticket, out), ...(history ? ["", ...historyLines(history, out)] : [])].join("\n"),
  );
  return 0;
}
