import type { Output } from "../../../../../kernel/command.ts";
import type { App } from "../../../app.ts";
import { localTime } from "../../../local-time.ts";
import { plain } from "../../../text.ts";

export async function runResetPassword(app: App, email: string, out: Output): Promise<number> {
  app.failOnSignals();
  const made = await (await app.access()).resetLink(email, out.signal);
  out.data(made, ({ link }) => plain(link));
  if (!out.json) out.note(`Good for one use until ${localTime(made.expiresAt)}. It is shown this once.`);
  return 0;
}
