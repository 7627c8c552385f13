import { type Candidate, defineCommand, type Output, type TypingPlace } from "../../../../kernel/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { TokenInfo } from "../../../../rooms/access/ports.ts";
import type { AccessDesk } from "../../access.ts";
import type { App } from "../../app.ts";
import { localTime } from "../../local-time.ts";
import { type Column, table } from "../../table.ts";
import { plain } from "../../text.ts";
import { serverSettings } from "./server-settings.ts";

const actions: Record<string, string> = {
  create: "Make a token, and show its secret once.",
  list: "Those there are, without their secrets.",
  revoke: "End one.",
};

const columns: Column<TokenInfo>[] = [
  { title: "ID", cell: ({ id }) => id },
  { title: "NAME", cell: ({ name }) => name, shrinks: true },
  { title: "OWNER", cell: ({ owner }) => owner, shrinks: true },
  { title: "EXPIRES", cell: ({ expiresAt }) => (expiresAt === undefined ? "never" : localTime(expiresAt)) },
  { title: "LAST USED", cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? "never" : localTime(lastUsedAt)) },
  { title: "SCOPES", cell: ({ scopes }) => scopes.join(" ") },
];

export const token = defineCommand({
  name: "token",
  summary: "Make, list and end tokens for programs",
  details:
    "A token lets a program, such as a build server, work in your name: give it in FORGE_TOKEN, with FORGE_API_URL. It may do " +
    "no more than you, and only what its scopes say: tickets:read, tickets:write, activity:read, activity:write, access:read, " +
    "access:write.",
  examples: [
    ["forge token create ci --scope tickets:read --days 90", "A token that may only look, for 90 days."],
    ["forge token list", "Those there are."],
    ["forge token revoke 5d0c…", "End one, by the id in the list."],
  ],
  arguments: [
    { name: "action", required: true, help: "create, list or revoke." },
    { name: "name", required: false, help: "What a new token is for, or the id of the one to end." },
  ],
  options: {
    scope: { type: "list", value: "SCOPE", help: "What it may do; several times, or separated by commas." },
    days: {
      type: "number",
      value: "N",
      integer: true,
      min: 1,
      max: 3_650,
      help: "For how long; for ever unless told.",
    },
  },
  settings: serverSettings,
  group: "server",
  complete,
  async run(app: App, { positionals: [action = "", name], options }, out) {
    if (!Object.hasOwn(actions, action)) throw noSuchAction(action);
    app.failOnSignals();
    const desk = await app.access();
    if (action === "list") return list(await desk.tokens(out.signal), out);
    if (name === undefined) throw nameMissing(action);
    if (action === "revoke") return revoke(desk, name, out);
    const scopes = (options.scope ?? []).flatMap((given) => given.split(",")).filter((scope) => scope !== "");
    if (scopes.length === 0) throw scopeMissing();
    const made = await desk.createToken({ name, scopes, days: options.days }, out.signal);
    out.data(made, ({ secret }) => plain(secret));
    if (!out.json) out.note("It is shown this once. Keep it as you keep a password.");
    return 0;
  },
});

function list(tokens: TokenInfo[], out: Output): number {
  if (tokens.length === 0 && !out.json) out.note("No tokens.");
  else out.data(tokens, () => table(columns, tokens, out));
  return 0;
}

async function revoke(desk: AccessDesk, id: string, out: Output): Promise<number> {
  await desk.revokeToken(id, out.signal);
  out.data({ revoked: id }, () => `Ended ${plain(id)}.`);
  return 0;
}

async function complete(app: App, { option, positionals }: TypingPlace): Promise<Candidate[]> {
  if (option !== undefined) return [];
  const [action] = positionals;
  if (action === undefined) return Object.entries(actions).map(([value, help]) => ({ value, help }));
  if (action !== "revoke" || positionals.length > 1) return [];
  const tokens = await (await app.access()).tokens(AbortSignal.timeout(2_000));
  return tokens.map(({ id, name }) => ({ value: id, help: name }));
}

function noSuchAction(action: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `forge token cannot "${action.slice(0, 64)}".`, {
    suggestions: ["Use `forge token create NAME`, `forge token list` or `forge token revoke ID`."],
  });
}

function nameMissing(action: string): ForgeError {
  const what =
    action === "create" ? "what the token is for: `forge token create NAME`" : "which: `forge token revoke ID`";
  return new ForgeError("VALIDATION_ERROR", `forge token ${action} must be told ${what}.`, {
    suggestions: ["`forge token list` shows the tokens there are."],
  });
}

function scopeMissing(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "A token needs at least one scope.", {
    suggestions: ["Add --scope tickets:read, or what else it must do. `forge whoami --json` lists what you may."],
  });
}
