import type { Context, Hono } from "hono";
import type { ActionFormatter } from "../../../kernel/action.ts";
import type { Answer, Outcome } from "../../../kernel/calls/invoke.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { errorReply, toResponse } from "../reply/reply.ts";
import { parseBody, readBodyText } from "../request/json-body.ts";

export const toolsPath = "/api/tools/";

/** Calls a tool that changes nothing, by its name, for the person in front of the browser or for another program. */
export type ReadTool = (
  request: { name: string; input: unknown; isUser: boolean },
  signal: AbortSignal,
) => Promise<Outcome<Answer>>;

/**
 * What the board shows of a project beside its tickets comes from the tools that read it. Those that change something are not
 * served: the board makes changes through routes only.
 */
export function serveTools(
  app: Hono,
  { readTool, isUser }: { readTool: ReadTool; isUser(context: Context): boolean },
  word: ActionFormatter,
): void {
  app.post(`${toolsPath}:name`, async (context) => {
    context.header("cache-control", "no-store");
    const input = parseBody(await readBodyText(context)) ?? {};
    const request = { name: context.req.param("name"), input, isUser: isUser(context) };
    const outcome = await readTool(request, context.req.raw.signal);
    if (outcome.kind === "value") return context.json(outcome.value.structured ?? null);
    if (outcome.kind === "error") return toResponse(errorReply(outcome.body, { word }));
    throw new ForgeError("VALIDATION_ERROR", "This asks questions, which is not possible over HTTP.");
  });
}
