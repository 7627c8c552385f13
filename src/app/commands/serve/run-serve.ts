import type { App, ServedTeam, ServeRequest } from "../../../commons/cli/app.ts";
import type { Output, Style } from "../../../kernel/definitions/command.ts";
import { plain, plainLines } from "../../../platform/terminal/text.ts";

export function runServe(app: App, request: ServeRequest, out: Output): Promise<number> {
  return app.serve.team(request, (served) => {
    const { url, publicUrl, advice, setupUrl, resetUrl } = served;
    out.data({ url, publicUrl }, () => welcome(served, out.style));
    if (advice !== undefined) out.note(plainLines(advice));
    // Anyone who has the link becomes the admin, so it does not go to stdout, which may be logged.
    if (resetUrl !== undefined)
      out.note(`To set a new password, open this link within the hour:\n  ${plain(resetUrl)}`);
    if (setupUrl !== undefined) out.note(`To set up the server, open this link. It works once:\n  ${plain(setupUrl)}`);
  });
}

function welcome({ url, publicUrl, loginUrl }: ServedTeam, style: Style): string {
  return [
    `Forge is serving your team at ${style.bold(plain(publicUrl))}`,
    ...(url === publicUrl ? [] : [`It listens on ${plain(url)}.`]),
    ...(loginUrl === undefined
      ? []
      : [`${machineFor(loginUrl)}: ${style.cyan(`forge login --url ${plain(loginUrl)}`)}`]),
    "",
    "Press Ctrl+C to stop.",
  ].join("\n");
}

function machineFor(loginUrl: string): string {
  return loginUrl.startsWith("https:") ? "Sign in from a laptop" : "Sign in on this machine";
}
