import type { App } from "../../../../commons/cli/app.ts";
import { localTime } from "../../../../commons/cli/local-time.ts";
import type { Output } from "../../../../kernel/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { Role } from "../../service/ports.ts";

type Wanted = { role: Role; email: string | undefined };

export async function runInvite(app: App, wanted: Wanted, out: Output): Promise<number> {
  app.failOnSignals();
  const made = await (await app.access()).invite(wanted, out.signal);
  out.data(made, ({ link }) => plain(link));
  if (!out.json) out.note(`Good for one person until ${localTime(made.expiresAt)}. It is shown this once.`);
  return 0;
}
