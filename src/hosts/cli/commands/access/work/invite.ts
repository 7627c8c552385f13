import type { Output } from "../../../../../kernel/command.ts";
import type { Role } from "../../../../../rooms/access/service/ports.ts";
import type { App } from "../../../app.ts";
import { localTime } from "../../../local-time.ts";
import { plain } from "../../../text.ts";

type Wanted = { role: Role; email: string | undefined };

export async function runInvite(app: App, wanted: Wanted, out: Output): Promise<number> {
  app.failOnSignals();
  const made = await (await app.access()).invite(wanted, out.signal);
  out.data(made, ({ link }) => plain(link));
  if (!out.json) out.note(`Good for one person until ${localTime(made.expiresAt)}. It is shown this once.`);
  return 0;
}
