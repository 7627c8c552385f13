import type { House } from "../../../commons/house.ts";
import { ConfigFile, chooseServer, openServer, path } from "../../../commons/remote/index.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { isRecord } from "../../../kernel/json.ts";
import { Fetcher } from "../../../platform/fetch/fetcher.ts";
import type { TeamServerAnswer } from "./model.ts";

/** Who the team's server says the user is; undefined where they work without one. Throws where it cannot be asked or refuses. */
export async function askTeamServer(
  { settings, redactor, log }: Pick<House, "settings" | "redactor" | "log">,
  signal: AbortSignal,
): Promise<TeamServerAnswer | undefined> {
  const { apiUrl, token } = settings;
  const file = new ConfigFile(log);
  const chosen = await chooseServer({ apiUrl, token, file });
  if (!chosen) return undefined;
  const fetcher = new Fetcher({ log });
  const by = chosen.signIn === "stored" ? "forge login" : "FORGE_TOKEN";
  const server = chosen.address.origin;
  try {
    const answer = await openServer({ chosen, file, fetcher, redactor, log }).request("GET", path`/me`, { signal });
    return { server, by, email: textAt(answer, "user", "email") ?? "", team: textAt(answer, "team", "name") };
  } catch (error) {
    // Another kind of server does not say who the user is; the sign-in does.
    const isUnknown = error instanceof ForgeError && error.code === "NOT_FOUND";
    const login = isUnknown && by === "forge login" ? await file.read() : undefined;
    if (!login) throw error;
    return { server, by, email: login.user.email, team: undefined };
  } finally {
    fetcher.close();
  }
}

function textAt(answer: unknown, part: string, field: string): string | undefined {
  const inner = isRecord(answer) ? answer[part] : undefined;
  const value = isRecord(inner) ? inner[field] : undefined;
  return typeof value === "string" ? value : undefined;
}
