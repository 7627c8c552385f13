import type { App } from "../../../../commons/cli/app.ts";
import { localTime } from "../../../../commons/cli/local-time.ts";
import type { Output } from "../../../../kernel/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";

export async function runResetPassword(app: App, email: string, out: Output): Promise<number> {
  app.failOnSignals();
  const made = await (await app.access()).resetLink(email, out.signal);
  out.data(made, ({ link }) => plain(link));
  if (!out.json) out.note(`Good for one use until ${localTime(made.expiresAt)}. It is shown this once.`);
  return 0;
}
