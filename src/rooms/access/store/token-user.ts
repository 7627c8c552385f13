import { runSql } from "../../../platform/db/run-sql.ts";
import type { Engine } from "../../../platform/db/types.ts";
import type { Db } from "./store.ts";

/** A token, and the user it belongs to with their role in a team. */
export type TokenUserRow = {
  hash: string;
  used_at: number | null;
  secret_until: number | null;
  grant_id: string;
  own_team_id: string;
  scopes: string;
  expires_at: number | null;
  ended_at: number | null;
  last_used_at: number | null;
  user_id: string;
  email: string;
  display_name: string;
  role: string;
  team_id: string;
  team_name: string;
  slug: string;
};

/** The user of a token, in the named team or else in the token's own. Plain SQL: every change asks this. */
export async function findTokenUser(
  db: Db,
  engine: Engine,
  hash: string,
  teamId: string | undefined,
): Promise<TokenUserRow | undefined> {
  const parameters = teamId === undefined ? [hash] : [hash, teamId];
  return (
    await runSql<TokenUserRow>(db, queries[engine][teamId === undefined ? "ownTeam" : "namedTeam"], parameters)
  )[0];
}

const queries = {
  sqlite: { ownTeam: queryWhere("?", "token.team_id"), namedTeam: queryWhere("?", "?") },
  postgres: { ownTeam: queryWhere("$1", "token.team_id"), namedTeam: queryWhere("$1", "$2") },
};

function queryWhere(hash: string, team: string): string {
  return `select secret.hash, secret.used_at, secret.expires_at as secret_until,
      token.id as grant_id, token.team_id as own_team_id, token.scopes,
      token.expires_at, token.ended_at, token.last_used_at,
      person.id as user_id, person.email, person.display_name, member.role,
      team.id as team_id, team.name as team_name, team.slug
    from access_secret as secret
    join access_grant as token on token.id = secret.grant_id
    join access_user as person on person.id = token.user_id
    join access_member as member on member.user_id = token.user_id
    join access_team as team on team.id = member.team_id
    where secret.hash = ${hash} and member.team_id = ${team}`;
}
