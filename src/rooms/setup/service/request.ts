import { type Client, clients, type Scope } from "../clients/clients.ts";
import { unknownClient } from "../errors.ts";

/** What the user asked for. */
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
  throw unknownClient(id, known);
}
