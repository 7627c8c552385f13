import type { Resource, ResourceContent } from "../definitions/resource.ts";
import type { Tool } from "../definitions/tool.ts";
import type { ErrorBody } from "../errors.ts";
import { mayContainCarriers, showCarriers } from "../text/carriers.ts";
import { mapTexts } from "../text/map-texts.ts";
import { visibleJson } from "../text/visible.ts";
import type { TextOrigin } from "./call.ts";
import type { RunningCall } from "./running-call.ts";

type TrustQuestion = { isTrusted?: () => Promise<boolean> };

/** Whether a call returns text by others than the user. */
export async function isForeign(
  { isTrusted }: TrustQuestion,
  { origins }: Pick<RunningCall, "origins">,
  declared: TextOrigin | undefined,
): Promise<boolean> {
  if (declared === "others" || origins.has("others")) return true;
  return (declared === "repository" || origins.has("repository")) && !(await isTrusted?.());
}

export function textOf<Services>(tool: Tool<Services>, output: unknown): string {
  return tool.text?.(output) ?? JSON.stringify(output);
}

/**
 * The text block of an answer, for models and people; the structured form beside it stays exact. Invisible characters are
 * escapes of JSON, and in text by others links and images are text with their host: a client that renders it loads nothing.
 */
export async function showOutput<Services>(
  tool: Tool<Services>,
  output: unknown,
  isByOthers: () => Promise<boolean>,
): Promise<string> {
  const text = textOf(tool, output);
  const isExact = tool.verbatim === true || !mayContainCarriers(text) || !(await isByOthers());
  return visibleJson(isExact ? text : textOf(tool, mapTexts(output, showCarriers)));
}

/** The same for an error, which may quote them. */
export async function showError(body: ErrorBody, isByOthers: () => Promise<boolean>): Promise<ErrorBody> {
  if (!mayContainCarriers(JSON.stringify(body)) || !(await isByOthers())) return body;
  return mapTexts(body, showCarriers);
}

/** The same for a resource, which has no other form. */
export async function showResource<Services>(
  { mimeType }: Pick<Resource<Services>, "mimeType">,
  content: ResourceContent,
  isByOthers: () => Promise<boolean>,
): Promise<ResourceContent> {
  if (!("text" in content) || !mayContainCarriers(content.text) || !(await isByOthers())) return content;
  if (mimeType !== "application/json") return { text: showCarriers(content.text) };
  return { text: visibleJson(JSON.stringify(mapTexts(JSON.parse(content.text), showCarriers))) };
}
