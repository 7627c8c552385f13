import type { Output } from "../../../../../kernel/command.ts";
import { ForgeError } from "../../../../../kernel/errors.ts";
import type { PendingLogin, SignedInHere } from "../../../access.ts";
import type { App } from "../../../app.ts";
import { plain } from "../../../text.ts";

type Wanted = { url: string | undefined; team: string | undefined; noBrowser: boolean };

export async function runLogin(app: App, { url, team, noBrowser }: Wanted, out: Output): Promise<number> {
  app.failOnSignals();
  const desk = await app.access();
  const already = await desk.signedIn();
  if (already) throw signedInAlready(already);
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

function signedInAlready({ server, email }: SignedInHere): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `You are signed in to ${server} already, as ${email}.`, {
    details: { server, email },
    suggestions: [
      "Run `forge logout` first to sign in anew or elsewhere.",
      "`forge whoami` asks the server who you are.",
    ],
  });
}
