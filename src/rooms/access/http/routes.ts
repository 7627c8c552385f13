import type { Route } from "../../../kernel/definitions/route.ts";
import { logoutRoute, redeemDeviceRoute, refreshRoute, requestDeviceRoute, verifyDeviceRoute } from "./auth.ts";
import { addProjectRoute, auditRoute, projectsRoute, removeProjectRoute, renameProjectRoute } from "./records.ts";
import type { AccessRouteServices } from "./services.ts";
import {
  invitationsRoute,
  inviteRoute,
  membersRoute,
  meRoute,
  removeMemberRoute,
  setRoleRoute,
  withdrawInvitationRoute,
} from "./team.ts";
import { addTeamRoute, resetRoute, teamsRoute } from "./teams.ts";
import { createTokenRoute, revokeTokenRoute, tokensRoute } from "./tokens.ts";

export type { AccessRouteServices } from "./services.ts";

/** People, their rights and their tokens over HTTP. */
export const accessRoutes: Route<AccessRouteServices>[] = [
  requestDeviceRoute,
  redeemDeviceRoute,
  verifyDeviceRoute,
  refreshRoute,
  logoutRoute,
  meRoute,
  teamsRoute,
  addTeamRoute,
  membersRoute,
  setRoleRoute,
  removeMemberRoute,
  resetRoute,
  invitationsRoute,
  inviteRoute,
  withdrawInvitationRoute,
  tokensRoute,
  createTokenRoute,
  revokeTokenRoute,
  projectsRoute,
  addProjectRoute,
  renameProjectRoute,
  removeProjectRoute,
  auditRoute,
];
