import type { Route } from "../../../kernel/definitions/route.ts";
import { summariesRoute, viewRoute } from "./board-routes.ts";
import { exportRoutes, historyRoute, importRoute } from "./exchange-routes.ts";
import { archivedRoute, listRoute, nextRoute, quotaRoute, suggestRoute } from "./list-routes.ts";
import {
  answerRoute,
  askRoute,
  dismissRoute,
  questionsRoute,
  reviewSessionRoute,
  startImplementationRoute,
} from "./review-routes.ts";
import type { TicketRouteServices } from "./services.ts";
import { archiveRoute, createRoute, editRoute, getRoute } from "./ticket-routes.ts";
import { assignRoute, claimRoute, executionEventRoute, recordRoute, settleRoute, startRoute } from "./work-routes.ts";

/** Fixed paths come before `/:id`: the first match is served. */
const routes: Route<TicketRouteServices>[] = [
  listRoute,
  createRoute,
  archivedRoute,
  summariesRoute,
  suggestRoute,
  nextRoute,
  quotaRoute,
  importRoute,
  getRoute,
  editRoute,
  archiveRoute,
  assignRoute,
  claimRoute,
  startRoute,
  executionEventRoute,
  recordRoute,
  settleRoute,
  questionsRoute,
  askRoute,
  answerRoute,
  dismissRoute,
  reviewSessionRoute,
  startImplementationRoute,
  historyRoute,
  viewRoute,
  ...exportRoutes,
];

/** Tickets over REST. Secrets are redacted for assistants only: a client that edits a text has to get it unchanged. */
export const ticketRoutes: Route<TicketRouteServices>[] = routes.map((route) => ({ ...route, verbatim: true }));
