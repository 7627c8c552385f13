import { expect } from "vitest";
import { loadRoutes } from "../../../src/app/server/server-routes.ts";
import { openApiOf } from "../../../src/hosts/http/openapi/openapi.ts";

export type DescribedOperation = {
  operationId: string;
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  responses: Record<string, { headers?: Record<string, unknown>; content?: Record<string, unknown> }>;
  security?: { token: string[] }[];
};

type Document = { openapi: string; paths: Record<string, Record<string, DescribedOperation>> };

/** The server's OpenAPI document. */
export const document = openApiOf({
  routes: (await loadRoutes()).map(({ route }) => route),
  version: "1.2.3",
  publicUrl: "https://forge.example",
}) as Document;

const fixedFirst = Object.keys(document.paths).sort((a, b) => a.split("{").length - b.split("{").length);

/** Fails the test if the OpenAPI document does not describe the response. */
export function expectDescribed(
  method: string,
  path: string,
  { status, headers }: Pick<Response, "status" | "headers">,
) {
  const [pathname = ""] = path.split("?");
  const template = fixedFirst.find((known) => fits(known, pathname));
  const operation = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
  if (!operation) return;
  const described = operation.responses[status] ?? operation.responses[`${Math.floor(status / 100)}XX`];
  const name = `${method} ${template} answers ${status}`;
  expect(described, `${name}, which its description does not have`).toBeDefined();
  const type = headers.get("content-type")?.split(";")[0];
  expect(type === undefined ? [] : [type], name).toEqual(Object.keys(described?.content ?? {}));
  for (const header of ["etag", "www-authenticate", "retry-after", "idempotency-replayed", "content-disposition"]) {
    const known = Object.keys(described?.headers ?? {}).map((each) => each.toLowerCase());
    if (headers.has(header)) expect(known, name).toContain(header);
  }
  if (status === 401) expect(headers.get("www-authenticate"), name).toMatch(/^Bearer .*resource_metadata="/);
}

function fits(template: string, path: string): boolean {
  const [wanted, given] = [template.split("/"), path.split("/")];
  return wanted.length === given.length && wanted.every((part, at) => part.startsWith("{") || part === given[at]);
}
