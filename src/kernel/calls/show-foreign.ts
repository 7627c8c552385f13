import type { PromptMessage } from "../definitions/prompt.ts";
import type { Resource, ResourceContent } from "../definitions/resource.ts";
import type { Tool } from "../definitions/tool.ts";
import type { ErrorBody } from "../errors.ts";
import { mayContainCarriers, showCarriers } from "../text/carriers.ts";
import { escapeContent, escapeText } from "../text/escape-text.ts";
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
  const seen = escapeContent(body).value;
  return mayContainCarriers(JSON.stringify(seen)) && (await isByOthers()) ? mapTexts(seen, showCarriers) : seen;
}

/** The same for a prompt. Whatever its parts are, one of them may be text by others. */
export async function showPrompt(
  messages: PromptMessage[],
  isByOthers: () => Promise<boolean>,
): Promise<PromptMessage[]> {
  const seen = escapeContent(messages).value;
  return mayContainCarriers(JSON.stringify(seen)) && (await isByOthers()) ? mapTexts(seen, showCarriers) : seen;
}

/** The same for a resource, which has no other form. */
export async function showResource<Services>(
  { mimeType }: Pick<Resource<Services>, "mimeType">,
  content: ResourceContent,
  isByOthers: () => Promise<boolean>,
): Promise<ResourceContent> {
  if (!("text" in content)) return content;
  const { text } = content;
  const isExact = !mayContainCarriers(text) || !(await isByOthers());
  if (mimeType !== "application/json") {
    const seen = escapeText(text).text;
    return { text: isExact ? seen : showCarriers(seen) };
  }
  return { text: visibleJson(isExact ? text : JSON.stringify(mapTexts(JSON.parse(text), showCarriers))) };
}
