import * as z from "zod";
import { defineRoute } from "../../../kernel/definitions/route.ts";
import type { Member } from "../model/model.ts";
import { type AccessRouteServices, requireOwnTeam, requireSignedIn } from "./services.ts";
import { anId, date, email, noParams, noQuery, nothing, role } from "./shapes.ts";

const memberOnWire = z.object({
  userId: z.string(),
  email: z.string(),
  displayName: z.string(),
  role,
  joinedAt: date,
});

const aTeam = z.object({ team: anId });
const aMember = z.object({ team: anId, id: anId });
const aboutMember = ({ id }: { id: string }) => [`member:${id}`];

export const meRoute = defineRoute({
  method: "GET",
  operation: "whoami",
  path: "/api/me",
  summary: "The user and team of the token, and what it allows.",
  scope: "signed-in",
  effect: "read",
  names: "none",
  params: noParams,
  query: noQuery,
  output: z.object({
    user: z.object({ id: z.string(), email: z.string(), displayName: z.string() }),
    team: z.object({ id: z.string(), name: z.string(), slug: z.string() }),
    role,
    scopes: z.array(z.string()),
  }),
  async run(services: AccessRouteServices) {
    const { user, team, role: mine, scopes } = requireSignedIn(services);
    return { user, team, role: mine, scopes: [...scopes] };
  },
});

export const membersRoute = defineRoute({
  method: "GET",
  path: "/api/teams/:team/members",
  summary: "List the members of the team.",
  scope: "access:read",
  effect: "read",
  names: "team",
  params: aTeam,
  query: noQuery,
  output: z.object({ success: z.literal(true), members: z.array(memberOnWire) }),
  async run(services: AccessRouteServices, { params }) {
    const members = await services.access.members.list(requireOwnTeam(services, params.team));
    return { success: true as const, members: members.map(showMember) };
  },
});

export const setRoleRoute = defineRoute({
  method: "PATCH",
  path: "/api/teams/:team/members/:id",
  summary: "Change a member's role. The last admin cannot be changed.",
  scope: "access:write",
  effect: "set",
  names: "member",
  params: aMember,
  query: noQuery,
  body: z.strictObject({ role }),
  output: memberOnWire,
  about: aboutMember,
  async run(services: AccessRouteServices, { params, body }) {
    const by = requireOwnTeam(services, params.team);
    return showMember(await services.access.members.setRole(by, params.id, body.role, services.from));
  },
});

export const removeMemberRoute = defineRoute({
  method: "DELETE",
  path: "/api/teams/:team/members/:id",
  summary: "Remove a member from the team and revoke their tokens for it. The last admin cannot be removed.",
  scope: "access:write",
  effect: "remove",
  names: "member",
  params: aMember,
  query: noQuery,
  output: nothing,
  status: 204,
  about: aboutMember,
  async run(services: AccessRouteServices, { params }) {
    await services.access.members.remove(requireOwnTeam(services, params.team), params.id, services.from);
    return {};
  },
});

const invitation = z.object({ id: z.string(), role, email: z.string().optional(), expiresAt: date });

export const invitationsRoute = defineRoute({
  method: "GET",
  path: "/api/invitations",
  summary: "List the team's open invitations.",
  scope: "access:write",
  effect: "read",
  names: "none",
  params: noParams,
  query: noQuery,
  output: z.object({ invitations: z.array(invitation) }),
  async run(services: AccessRouteServices) {
    return { invitations: await services.access.invitations.list(requireSignedIn(services)) };
  },
});

export const inviteRoute = defineRoute({
  method: "POST",
  operation: "create_invite",
  path: "/api/invitations",
  summary: "Create an invite link for one person. It is shown only once.",
  scope: "access:write",
  effect: "add",
  names: "none",
  params: noParams,
  query: noQuery,
  body: z.strictObject({ role, email: email.optional().describe("Only this address can use it") }),
  output: z.object({ id: z.string(), link: z.string(), expiresAt: date }),
  status: 201,
  givesSecret: true,
  async run(services: AccessRouteServices, { body }) {
    const wanted = { role: body.role, ...(body.email !== undefined && { email: body.email }) };
    const { id, code, expiresAt } = await services.access.invitations.create(
      requireSignedIn(services),
      wanted,
      services.from,
    );
    return { id, link: `${services.publicUrl}/invite?code=${encodeURIComponent(code)}`, expiresAt };
  },
});

export const withdrawInvitationRoute = defineRoute({
  method: "DELETE",
  path: "/api/invitations/:id",
  summary: "Withdraw an invitation.",
  scope: "access:write",
  effect: "remove",
  names: "invitation",
  params: z.object({ id: anId }),
  query: noQuery,
  output: nothing,
  status: 204,
  about: ({ id }) => [`invitation:${id}`],
  async run(services: AccessRouteServices, { params }) {
    await services.access.invitations.withdraw(requireSignedIn(services), params.id, services.from);
    return {};
  },
});

function showMember({ user, role: has, joinedAt }: Member): z.input<typeof memberOnWire> {
  return { userId: user.id, email: user.email, displayName: user.displayName, role: has, joinedAt };
}
