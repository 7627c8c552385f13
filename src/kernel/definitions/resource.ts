import type { Call, TextOrigin } from "../calls/call.ts";
import type { Completer } from "./prompt.ts";

export type ResourceContent = { text: string } | { blob: string };

export type Resource<Services> = {
  /** `forge://activity`, or a template with `{variables}`: `forge://tickets/{id}`. */
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
  /** As a tool's. */
  untrusted?: TextOrigin;
  read(services: Services, variables: Record<string, string>, call: Call): Promise<ResourceContent>;
  complete?: Record<string, Completer<Services>>;
  /** Calls back when what the resource shows has changed; returns how to stop. */
  watch?(services: Services, uri: string, changed: () => void): () => void;
};

export function defineResource<Services>(resource: Resource<Services>): Resource<Services> {
  return resource;
}

export function isTemplate(resource: { uri: string }): boolean {
  return resource.uri.includes("{");
}

/** The variables of a template in a concrete URI, or undefined where it does not fit. A variable never spans a slash. */
export function matchUri(template: string, uri: string): Record<string, string> | undefined {
  const wanted = template.split("/");
  const given = uri.split("/");
  if (wanted.length !== given.length) return undefined;
  const variables: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (part.startsWith("{") && part.endsWith("}")) {
      if (value === "") return undefined;
      variables[part.slice(1, -1)] = decodeSegment(value);
    } else if (part !== value) return undefined;
  }
  return variables;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
