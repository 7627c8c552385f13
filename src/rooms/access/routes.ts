import type { Route } from "../../kernel/route.ts";
import { logoutRoute, redeemDeviceRoute, refreshRoute, requestDeviceRoute, verifyDeviceRoute } from "./routes/auth.ts";
import { addProjectRoute, auditRoute, projectsRoute } from "./routes/records.ts";
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
  membersRoute,
  setRoleRoute,
  removeMemberRoute,
  invitationsRoute,
  inviteRoute,
  withdrawInvitationRoute,
  tokensRoute,
  createTokenRoute,
  revokeTokenRoute,
  projectsRoute,
  addProjectRoute,
  auditRoute,
];
