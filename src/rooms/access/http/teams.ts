import * as z from "zod";
import { defineRoute } from "../../../kernel/definitions/route.ts";
import { type AccessRouteServices, requireOwnTeam, requireSignedIn } from "./services.ts";
import { anId, date, noParams, noQuery, role } from "./shapes.ts";

const team = z.object({ id: z.string(), name: z.string(), slug: z.string() });

export const teamsRoute = defineRoute({
  method: "GET",
  operation: "list_teams",
  path: "/api/teams",
  summary: "List the caller's teams. Send the id of one in `X-Team-Id` to work in that team.",
  scope: "signed-in",
  effect: "read",
  names: "none",
  params: noParams,
  query: noQuery,
  output: z.object({ teams: z.array(team.extend({ role })) }),
  async run(services: AccessRouteServices) {
    return { teams: await services.access.teams.list(requireSignedIn(services)) };
  },
});

export const addTeamRoute = defineRoute({
  method: "POST",
  operation: "create_team",
  path: "/api/teams",
  summary: "Create another team on this server, with the caller as its admin.",
  scope: "access:write",
  effect: "add",
  names: "none",
  params: noParams,
  query: noQuery,
  body: z.strictObject({ name: z.string().trim().min(1).max(100) }),
  output: team,
  status: 201,
  async run(services: AccessRouteServices, { body }) {
    return services.access.teams.create(requireSignedIn(services), body.name, services.from);
  },
});

export const resetRoute = defineRoute({
  method: "POST",
  operation: "create_reset_link",
  path: "/api/teams/:team/members/:id/reset",
  summary: "Create a link for a member to set a new password. It is valid for an hour and shown only once.",
  scope: "access:write",
  effect: "add",
  names: "member",
  params: z.object({ team: anId, id: anId }),
  query: noQuery,
  output: z.object({ link: z.string(), expiresAt: date }),
  status: 201,
  givesSecret: true,
  about: ({ id }) => [`member:${id}`],
  async run(services: AccessRouteServices, { params }) {
    const by = requireOwnTeam(services, params.team);
    const { code, expiresAt } = await services.access.recovery.createLink(by, params.id, services.from);
    return { link: `${services.publicUrl}/reset?code=${encodeURIComponent(code)}`, expiresAt };
  },
});
