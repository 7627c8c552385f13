import type { Route } from "../../../kernel/definitions/route.ts";
import { artifactRoutes } from "./artifact-routes.ts";
import { contractRoutes } from "./contract-routes.ts";
import { projectRoutes } from "./project-routes.ts";
import type { GovernanceRouteServices } from "./services.ts";

/** Governance over REST. Texts go out as they were written: clients edit them and send them back. */
export const governanceRoutes: Route<GovernanceRouteServices>[] = [
  ...contractRoutes,
  ...projectRoutes,
  ...artifactRoutes,
].map((route) => ({ ...route, verbatim: true }));
