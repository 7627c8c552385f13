import { describe, expect, test } from "vitest";
import { type DescribedOperation, document } from "../../../../test/harness/http/described.ts";
import { loadRoutes } from "../../../app/server/server-routes.ts";
import { templateOf } from "./openapi.ts";
import { referencePage, referencePolicy } from "./reference-page.ts";

const routes = (await loadRoutes()).map(({ route }) => route);
const described = { routes, version: "1.2.3", publicUrl: "https://forge.example" };

const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
const named = (operation: DescribedOperation | undefined, place: string) =>
  operation?.parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);

describe("the OpenAPI document", () => {
  test("has every route, with its variables, body, answer and scope", () => {
    expect(document.openapi).toBe("3.1.0");
    for (const { method, path, scope, params, body, status = 200 } of described.routes) {
      const operation = document.paths[templateOf(path)]?.[method.toLowerCase()];
      expect(operation, `${method} ${path}`).toBeDefined();
      const inPath = named(operation, "path");
      expect(inPath).toEqual(Object.keys(params.shape));
      expect(path.match(/:\w+/g) ?? []).toEqual(inPath?.map((name) => `:${name}`));
      expect(operation?.requestBody === undefined).toBe(body === undefined);
      expect(operation?.responses[status]).toBeDefined();
      expect(operation?.security).toEqual(
        scope === "public" ? undefined : [{ token: scope === "signed-in" ? [] : [scope] }],
      );
    }
  });

  test("has If-Match and 412 where a route supports it, a key where it is kept, 401 where somebody must be known", () => {
    for (const { method, path, scope, effect, conditional = false, checksWho = false } of described.routes) {
      const operation = document.paths[templateOf(path)]?.[method.toLowerCase()];
      const [headers, statuses] = [named(operation, "header"), Object.keys(operation?.responses ?? {})];
      const name = `${method} ${path}`;
      expect([headers?.includes("If-Match"), statuses.includes("412")], name).toEqual([conditional, conditional]);
      expect(statuses.includes("401"), name).toBe(scope !== "public" || checksWho);
      expect(headers?.includes("X-Team-Id"), name).toBe(scope !== "public");
      expect(headers?.includes("Idempotency-Key"), name).toBe(scope !== "public" && effect !== "read");
    }
    expect(described.routes.filter(({ conditional }) => conditional)).toHaveLength(13);
  });

  test("has the media types of files, and of the event stream also what is refused", () => {
    const typesAt = (path: string) => Object.keys(document.paths[path]?.["get"]?.responses["200"]?.content ?? {});
    expect(["markdown", "xml", "json"].map((format) => typesAt(`/api/tickets/{id}/export/${format}`))).toEqual([
      ["text/markdown"],
      ["application/xml"],
      ["application/json"],
    ]);
    expect(typesAt("/api/events")).toEqual(["text/event-stream"]);
    expect(Object.keys(document.paths["/api/events"]?.["get"]?.responses ?? {})).toEqual([
      "200",
      "400",
      "401",
      "403",
      "429",
      "5XX",
    ]);
  });

  test("names each operation once", () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("refers to nothing that it does not hold", () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target);
    expect(new Set(references)).toEqual(new Set(["#/components/schemas/Error"]));
  });

  test("refuses in its schemas what the routes refuse: fields that nobody knows", () => {
    for (const { requestBody } of operations) {
      const schema = requestBody?.content["application/json"]?.schema as {
        type?: string;
        additionalProperties?: unknown;
      };
      if (schema?.type === "object") expect(schema.additionalProperties).toBe(false);
    }
  });
});

describe("the reference page", () => {
  const page = referencePage(described);

  test("has every route, and nothing that runs or is loaded from elsewhere", () => {
    for (const { path } of described.routes) expect(page).toContain(`<code>${path}</code>`);
    expect(page).not.toMatch(/<script|<link|<img|\son\w+=|javascript:/i);
    expect(referencePolicy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
  });

  test("has an index that leads to every operation", () => {
    const targets = [...page.matchAll(/<li><a href="#([^"]+)"/g)].map(([, target]) => target);
    const places = [...page.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id);
    // The page groups them by subject.
    expect(targets.toSorted()).toEqual(operations.map(({ operationId }) => operationId).sort());
    expect(places).toEqual(["errors", ...targets]);
  });

  test("tells of each operation its headers, parameters, fields of body and answer, and refusals", () => {
    const section = (id: string) => page.split(`<section id="${id}">`)[1]?.split("</section>")[0] ?? "";
    const edit = section("patch-tickets-by-id");
    for (const { name } of document.paths["/api/tickets/{id}"]?.["patch"]?.parameters ?? [])
      expect(edit).toContain(`<code>${name}</code>`);
    for (const name of ["acceptanceCriteria", "fileChanges[].path", "400", "412", "5XX", "ETag", "Retry-After"])
      expect(edit).toContain(`<code>${name}</code>`);
    expect(edit).toContain("low, medium, high, urgent");
    expect(page).toContain('The same as for <a href="#');
    expect(section("get-tickets")).toContain("<code>tickets[].claim.holder</code>");
    expect(section("get-tickets-by-id-export-xml")).toContain("Response: 200, application/xml");
    for (const { operationId, responses } of operations)
      for (const status of Object.keys(responses)) expect(section(operationId)).toContain(status);
  });

  test("shows what definitions say as text", () => {
    const [route] = described.routes;
    if (!route) throw new Error("there is no route");
    const hostile = referencePage({ ...described, routes: [{ ...route, summary: "<script>alert(1)</script>" }] });
    expect(hostile).not.toContain("<script>");
  });
});
