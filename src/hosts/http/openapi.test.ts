import { describe, expect, test } from "vitest";
import { serverRoutes } from "../../server-routes.ts";
import { openApiOf, templateOf } from "./openapi.ts";
import { referencePage, referencePolicy } from "./reference-page.ts";

const described = { routes: serverRoutes(), version: "1.2.3", publicUrl: "https://forge.example" };

type Operation = {
  operationId: string;
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
  security?: { token: string[] }[];
};

const document = openApiOf(described) as { openapi: string; paths: Record<string, Record<string, Operation>> };
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

describe("the OpenAPI document", () => {
  test("has every route, with its variables, body, answer and scope", () => {
    expect(document.openapi).toBe("3.1.0");
    for (const { method, path, scope, params, body, status = 200 } of described.routes) {
      const operation = document.paths[templateOf(path)]?.[method.toLowerCase()];
      expect(operation, `${method} ${path}`).toBeDefined();
      const inPath = operation?.parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
      expect(inPath).toEqual(Object.keys(params.shape));
      expect(path.match(/:\w+/g) ?? []).toEqual(inPath?.map((name) => `:${name}`));
      expect(operation?.requestBody === undefined).toBe(body === undefined);
      expect(operation?.responses[status]).toBeDefined();
      expect(operation?.security).toEqual(
        scope === "public" ? undefined : [{ token: scope === "signed-in" ? [] : [scope] }],
      );
    }
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

  test("shows what definitions say as text", () => {
    const [route] = described.routes;
    if (!route) throw new Error("there is no route");
    const hostile = referencePage({ ...described, routes: [{ ...route, summary: "<script>alert(1)</script>" }] });
    expect(hostile).not.toContain("<script>");
  });
});
