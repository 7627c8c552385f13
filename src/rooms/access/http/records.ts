import * as z from "zod";
import { defineRoute } from "../../../kernel/definitions/route.ts";
import { type AccessRouteServices, requireSignedIn } from "./services.ts";
import { anId, date, noParams, noQuery, nothing } from "./shapes.ts";

const project = z.object({ id: z.string(), name: z.string(), createdAt: date });

export const projectsRoute = defineRoute({
  method: "GET",
  path: "/api/projects",
  summary: "List the team's projects.",
  scope: "access:read",
  effect: "read",
  names: "none",
  params: noParams,
  query: noQuery,
  output: z.object({ projects: z.array(project) }),
  async run(services: AccessRouteServices) {
    return { projects: await services.access.projects.list(requireSignedIn(services)) };
  },
});

export const addProjectRoute = defineRoute({
  method: "POST",
  path: "/api/projects",
  summary: "Add a project to the team.",
  scope: "access:write",
  effect: "add",
  names: "none",
  params: noParams,
  query: noQuery,
  body: z.strictObject({ name: z.string().trim().min(1).max(100) }),
  output: project,
  status: 201,
  async run(services: AccessRouteServices, { body }) {
    return services.access.projects.add(requireSignedIn(services), body.name, services.from);
  },
});

const aProject = z.object({ id: anId });
const aboutProject = ({ id }: { id: string }) => [`project:${id}`];

export const renameProjectRoute = defineRoute({
  method: "PATCH",
  path: "/api/projects/:id",
  summary: "Rename a project.",
  scope: "access:write",
  effect: "set",
  names: "project",
  params: aProject,
  query: noQuery,
  body: z.strictObject({ name: z.string().trim().min(1).max(100) }),
  output: project,
  about: aboutProject,
  async run(services: AccessRouteServices, { params, body }) {
    return services.access.projects.rename(requireSignedIn(services), params.id, body.name, services.from);
  },
});

export const removeProjectRoute = defineRoute({
  method: "DELETE",
  path: "/api/projects/:id",
  summary: "Remove a project from the team's list.",
  scope: "access:write",
  effect: "remove",
  names: "project",
  params: aProject,
  query: noQuery,
  output: nothing,
  status: 204,
  about: aboutProject,
  async run(services: AccessRouteServices, { params }) {
    await services.access.projects.remove(requireSignedIn(services), params.id, services.from);
    return {};
  },
});

export const auditRoute = defineRoute({
  method: "GET",
  path: "/api/audit",
  summary: "The audit log: sign-ins and changes of rights, newest last, and whether the log is intact.",
  scope: "access:write",
  effect: "read",
  names: "none",
  params: noParams,
  query: z.object({
    limit: z.coerce.number().int().min(1).max(1_000).default(100),
    server: z.enum(["true", "false"]).default("false").describe("The server's own log, for admins of its first team"),
  }),
  output: z.object({
    entries: z.array(
      z.object({
        seq: z.number(),
        at: date,
        actor: z.string(),
        user: z.string().optional().describe("The member's name"),
        action: z.string(),
        target: z.string(),
        details: z.record(z.string(), z.unknown()),
      }),
    ),
    intact: z.boolean(),
  }),
  async run(services: AccessRouteServices, { query }) {
    const by = requireSignedIn(services);
    const book = query.server === "true" ? "server" : "team";
    const { entries, intact } = await services.access.audit.list(by, query.limit, book);
    const members = await services.access.members.list({ ...by, scopes: ["access:read"] });
    const names = new Map(members.map(({ user }) => [user.email, user.displayName || user.email]));
    return {
      entries: entries.map((entry) => {
        const user = names.get(entry.actor);
        return { ...entry, ...(user !== undefined && { user }) };
      }),
      intact,
    };
  },
});
