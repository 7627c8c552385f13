import type { App } from "../../../commons/cli/app.ts";
import { commandFor } from "../../../commons/cli/command-for.ts";
import { printList } from "../../../commons/cli/print/list.ts";
import { localTime } from "../../../commons/cli/print/local-time.ts";
import type { Column } from "../../../commons/cli/print/table.ts";
import { type Candidate, defineGroup } from "../../../kernel/definitions/command.ts";
import { plain } from "../../../platform/terminal/text.ts";
import type { TokenInfo } from "../model/model.ts";
import type { AccessServices } from "../services.ts";
import type { createToken } from "../tools/create-token.ts";
import type { listTokens } from "../tools/list-tokens.ts";
import type { revokeToken } from "../tools/revoke-token.ts";
import { serverSettings } from "./server-settings.ts";

const completeWithinMs = 2_000;

export const token = defineGroup<App>({
  name: "token",
  summary: "Create, list and revoke API tokens",
  details:
    "An API token lets a program, such as a CI job, work in your name: give it in FORGE_TOKEN, with FORGE_API_URL. It never " +
    "has more rights than you, and only those of its scopes.",
  examples: [
    ["forge token create ci --scope tickets:read --days 90", "A token that can only read, for 90 days."],
    ["forge token list", "Your tokens."],
    ["forge token revoke 5d0c…", "Revoke one, by its id in the list."],
  ],
  group: "server",
});

export const tokenCreate = commandFor<typeof createToken>({
  tool: "create_token",
  name: "token create",
  summary: "Create an API token",
  examples: [
    ["forge token create ci --scope tickets:read --days 90", "A token that can only read, for 90 days."],
    ["forge token create bot --scope tickets:read,tickets:write", "A token that can also change tickets."],
  ],
  settings: serverSettings,
  group: "server",
  arguments: ["name"],
  options: { scopes: { flag: "scope", value: "SCOPE", commas: true } },
  print({ secret }, out) {
    out.print(plain(secret));
    out.note("This is shown only once. Store it like a password.");
  },
});

const columns: Column<TokenInfo>[] = [
  { title: "ID", cell: ({ id }) => id },
  { title: "NAME", cell: ({ name }) => name, shrinks: true },
  { title: "OWNER", cell: ({ owner }) => owner, shrinks: true },
  { title: "EXPIRES", cell: ({ expiresAt }) => (expiresAt === undefined ? "never" : localTime(expiresAt)) },
  { title: "LAST USED", cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? "never" : localTime(lastUsedAt)) },
  { title: "SCOPES", cell: ({ scopes }) => scopes.join(" ") },
];

export const tokenList = commandFor<typeof listTokens>({
  tool: "list_tokens",
  name: "token list",
  summary: "List your API tokens",
  examples: [["forge token list", "Your tokens, without their secrets."]],
  settings: serverSettings,
  group: "server",
  print: (tokens, out) => printList({ columns, rows: tokens, none: "No tokens." }, out),
});

export const tokenRevoke = commandFor<typeof revokeToken>({
  tool: "revoke_token",
  name: "token revoke",
  summary: "Revoke an API token",
  examples: [["forge token revoke 5d0c…", "Revoke one, by its id in the list."]],
  settings: serverSettings,
  group: "server",
  async complete(app, { option, positionals }): Promise<Candidate[]> {
    if (option !== undefined || positionals.length > 0) return [];
    const { login } = await app.room<AccessServices>("access");
    const tokens = await (await login.account()).listTokens(AbortSignal.timeout(completeWithinMs));
    return tokens.map(({ id, name }) => ({ value: id, help: name }));
  },
  print: ({ revoked }, out) => out.print(`Revoked ${plain(revoked)}.`),
});
