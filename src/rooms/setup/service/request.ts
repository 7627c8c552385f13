import { anyOf, didYouMean } from "../../../kernel/closest.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { type Client, clients, type Scope } from "../clients/clients.ts";

/** What a person asked for. */
export type SetupRequest = {
  /** Ids of clients; undefined for those that are found. */
  clients: readonly string[] | undefined;
  scope: Scope | undefined;
  /** Files outside the project may be changed for clients that were found and not named. */
  outside: boolean;
  npx: boolean;
  skill: boolean;
  agentsMd: boolean;
  claudeMd: boolean;
};

export function clientNamed(id: string): Client {
  const found = clients.find((client) => client.id === id);
  if (found) return found;
  const known = clients.map((client) => client.id);
  throw new ForgeError(
    "VALIDATION_ERROR",
    `Unknown client "${id.slice(0, 64)}"; the known ones are ${known.join(", ")}.`,
    {
      details: { known },
      next: [...didYouMean(id, known), "A client that is not among them can run `forge mcp` as a stdio server."],
    },
  );
}

export function noSuchScope({ title, files }: Client, scope: Scope): ForgeError {
  const has = anyOf(Object.keys(files));
  return new ForgeError("VALIDATION_ERROR", `${title} has no ${scope} file that Forge can set up, only: ${has}.`, {
    details: { scope },
    next: ["Leave --scope out, or name the other clients with --client."],
  });
}
