import type { Route } from "../../kernel/route.ts";
import { logoutRoute, redeemDeviceRoute, refreshRoute, requestDeviceRoute, verifyDeviceRoute } from "./routes/auth.ts";
import {
  addProjectRoute,
  auditRoute,
  projectsRoute,
  removeProjectRoute,
  renameProjectRoute,
} from "./routes/records.ts";
import type { AccessRouteServices } from "./routes/services.ts";
import {
  invitationsRoute,
  inviteRoute,
  membersRoute,
  meRoute,
  removeMemberRoute,
  setRoleRoute,
  withdrawInvitationRoute,
} from "./routes/team.ts";
import { addTeamRoute, resetRoute, teamsRoute } from "./routes/teams.ts";
import { createTokenRoute, revokeTokenRoute, tokensRoute } from "./routes/tokens.ts";

export type { AccessRouteServices } from "./routes/services.ts";

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
