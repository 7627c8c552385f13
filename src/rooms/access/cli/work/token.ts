import type { App } from "../../../../commons/cli/app.ts";
import { localTime } from "../../../../commons/cli/local-time.ts";
import { type Column, table } from "../../../../commons/cli/table.ts";
import { didYouMean } from "../../../../kernel/closest.ts";
import type { Candidate, Output, TypingPlace } from "../../../../kernel/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import { allScopes } from "../../model/roles.ts";
import type { AccessDesk } from "../../remote/desk.ts";
import type { TokenInfo } from "../../service/ports.ts";

type Wanted = { action: string; name: string | undefined; scopes: string[]; days: number | undefined };

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

export async function runToken(app: App, { action, name, scopes, days }: Wanted, out: Output): Promise<number> {
  if (!Object.hasOwn(actions, action)) throw noSuchAction(action);
  app.failOnSignals();
  const desk = await app.access();
  if (action === "list") return list(await desk.tokens(out.signal), out);
  if (name === undefined || name.trim() === "") throw nameMissing(action);
  if (action === "revoke") return revoke(desk, name, out);
  const given = scopes.flatMap((scope) => scope.split(",")).filter((scope) => scope !== "");
  if (given.length === 0) throw scopeMissing();
  const unknown = given.find((scope) => !allScopes.some((known) => known === scope));
  if (unknown !== undefined) throw noSuchScope(unknown);
  const made = await desk.createToken({ name, scopes: given, days }, out.signal);
  out.data(made, ({ secret }) => plain(secret));
  if (!out.json) out.note("It is shown this once. Keep it as you keep a password.");
  return 0;
}

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

export async function completeToken(app: App, { option, positionals }: TypingPlace): Promise<Candidate[]> {
  if (option !== undefined) return [];
  const [action] = positionals;
  if (action === undefined) return Object.entries(actions).map(([value, help]) => ({ value, help }));
  if (action !== "revoke" || positionals.length > 1) return [];
  const tokens = await (await app.access()).tokens(AbortSignal.timeout(2_000));
  return tokens.map(({ id, name }) => ({ value: id, help: name }));
}

function noSuchAction(action: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `forge token cannot "${action.slice(0, 64)}".`, {
    next: ["Use `forge token create NAME`, `forge token list` or `forge token revoke ID`."],
  });
}

function nameMissing(action: string): ForgeError {
  const what =
    action === "create" ? "what the token is for: `forge token create NAME`" : "which: `forge token revoke ID`";
  return new ForgeError("VALIDATION_ERROR", `forge token ${action} must be told ${what}.`, {
    next: ["`forge token list` shows the tokens there are."],
  });
}

function scopeMissing(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "A token needs at least one scope.", {
    next: ["Add --scope tickets:read, or what else it must do. `forge whoami --json` lists what you may."],
  });
}

function noSuchScope(scope: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `"${scope.slice(0, 64)}" is no scope.`, {
    next: [...didYouMean(scope, allScopes), `The scopes are ${allScopes.join(", ")}.`],
  });
}
