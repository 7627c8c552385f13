import * as z from "zod";
import { defineRoute } from "../../../kernel/route.ts";
import { type AccessRouteServices, requireSignedIn } from "./services.ts";
import { date, noParams, noQuery } from "./shapes.ts";

const project = z.object({ id: z.string(), name: z.string(), createdAt: date });

export const projectsRoute = defineRoute({
  method: "GET",
  path: "/api/projects",
  summary: "The team's projects.",
  scope: "access:read",
  effect: "read",
  names: "none",
  params: noParams,
  query: noQuery,
  output: z.object({ projects: z.array(project) }),
  async run(services: AccessRouteServices) {
    return { projects: await services.access.projects(requireSignedIn(services)) };
  },
});

export const addProjectRoute = defineRoute({
  method: "POST",
  path: "/api/projects",
  summary: "Adds a project to the team.",
  scope: "access:write",
  effect: "add",
  names: "none",
  params: noParams,
  query: noQuery,
  body: z.strictObject({ name: z.string().trim().min(1).max(100) }),
  output: project,
  status: 201,
  async run(services: AccessRouteServices, { body }) {
    return services.access.addProject(requireSignedIn(services), body.name, services.from);
  },
});

export const auditRoute = defineRoute({
  method: "GET",
  path: "/api/audit",
  summary: "Sign-ins and changes of who may do what, newest last, and whether the record is as it was written.",
  scope: "access:write",
  effect: "read",
  names: "none",
  params: noParams,
  query: z.object({ limit: z.coerce.number().int().min(1).max(1_000).default(100) }),
  output: z.object({
    entries: z.array(
      z.object({
        seq: z.number(),
        at: date,
        actor: z.string(),
        action: z.string(),
        target: z.string(),
        details: z.record(z.string(), z.unknown()),
      }),
    ),
    intact: z.boolean(),
  }),
  async run(services: AccessRouteServices, { query }) {
    return services.access.audit(requireSignedIn(services), query.limit);
  },
});
