import { isRecord } from "../../../kernel/json.ts";
import { field, type Loose, parseStructured } from "./loose.ts";
import { block, inline, joinParts } from "./plain-text.ts";

/** API changes as text, one line per endpoint. */
export function readApiChanges(value: unknown): string | undefined {
  const changes = parseStructured(value);
  if (Array.isArray(changes)) return lines(changes);
  if (!isRecord(changes)) return block(changes);
  if (routeOf(changes)) return endpointText(changes);
  const endpoints = parseStructured(field(changes, "endpoints"));
  return (Array.isArray(endpoints) ? lines(endpoints) : block(endpoints)) ?? block(changes);
}

function lines(endpoints: readonly unknown[]): string | undefined {
  return joinParts(
    "\n",
    endpoints.map((endpoint) => (isRecord(endpoint) ? endpointText(endpoint) : inline(endpoint))),
  );
}

function routeOf(endpoint: Loose): string | undefined {
  return inline(field(endpoint, "route", "path", "url"));
}

/** `POST /x (auth required, new): description` */
function endpointText(endpoint: Loose): string | undefined {
  const route = routeOf(endpoint);
  if (!route) return inline(endpoint);
  const method = inline(field(endpoint, "method"))?.toUpperCase();
  const kind = joinParts(", ", [
    authentication(field(endpoint, "authentication", "auth")),
    inline(field(endpoint, "status")),
  ]);
  const head = `${method ? `${method} ` : ""}${route}${kind ? ` (${kind})` : ""}`;
  const description = inline(field(endpoint, "description"));
  const dto = inline(field(endpoint, "dto"));
  return `${head}${description ? `: ${description}` : ""}${dto ? `\n  Data: ${dto}` : ""}`;
}

function authentication(value: unknown): string | undefined {
  if (value === true) return "auth required";
  if (value === false) return "no auth";
  const text = inline(value);
  return text === "none" ? "no auth" : text && `auth ${text}`;
}
