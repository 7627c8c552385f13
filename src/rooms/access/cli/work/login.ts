import type { App } from "../../../../commons/cli/app.ts";
import type { Output } from "../../../../kernel/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { PendingLogin, StandingSignIn } from "../../remote/desk.ts";

const slug = /^[a-z0-9-]{1,60}$/;

type Wanted = { url: string | undefined; team: string | undefined; replace: boolean; noBrowser: boolean };

export async function runLogin(app: App, { url, team, replace, noBrowser }: Wanted, out: Output): Promise<number> {
  if (team !== undefined && !slug.test(team)) throw notASlug(team);
  app.failOnSignals();
  const desk = await app.access();
  const already = replace ? undefined : await desk.standing(out.signal);
  if (already && already.holds !== false) throw signedInAlready(already);
  const pending = await desk.beginLogin({ url, team }, out.signal);
  const wasOpened = !noBrowser && out.width !== undefined && (await app.openBrowser(pending.completeUri));
  out.note(invitation(pending, wasOpened, out));
  try {
    const waiting = (left: number) => out.progress(`Waiting for you to approve, ${clock(left)} left`);
    const signedIn = await pending.decided(out.signal, waiting);
    out.data(
      signedIn,
      ({ server, email }) => `${out.style.green("Signed in")} to ${plain(server)} as ${plain(email)}.`,
    );
  } finally {
    out.progress(undefined);
  }
  return 0;
}

function invitation(
  { verificationUri, completeUri, userCode }: PendingLogin,
  wasOpened: boolean,
  { style }: Output,
): string {
  return [
    wasOpened ? "Your browser shows this page; if it does not, open it:" : "Open this page in a browser:",
    `  ${style.cyan(plain(completeUri))}`,
    `or type the code at ${plain(verificationUri)}. Approve only if the page shows the same code:`,
    `  ${style.bold(plain(userCode))}`,
  ].join("\n");
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function signedInAlready({ server, email, holds }: StandingSignIn): ForgeError {
  const giveUp = "To give that up for the new sign-in, add --replace to this command.";
  const details = { server, email };
  if (holds instanceof ForgeError) {
    return new ForgeError(
      holds.code,
      `You have a sign-in to ${server}, as ${email}, and it cannot be told whether it still holds. ${holds.message}`,
      { details: { ...holds.details, ...details }, next: [giveUp, ...(holds.next ?? [])] },
    );
  }
  return new ForgeError("CONFLICT_ERROR", `You are signed in to ${server} already, as ${email}, and it still holds.`, {
    details,
    next: [giveUp, "`forge logout` signs out; `forge whoami` asks the server who you are."],
  });
}

function notASlug(team: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `"${team.slice(0, 64)}" cannot be a team's slug.`, {
    next: [
      "Give --team the short name, of small letters, digits and -, that `forge team list` shows.",
      "Without --team, you choose on the page where you approve.",
    ],
  });
}
