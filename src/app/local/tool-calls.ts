import { describeTool } from "../../hosts/mcp/catalog.ts";
import { Offer } from "../../hosts/mcp/offer.ts";
import type { ToolEntry } from "../../hosts/mcp/surface.ts";
import type { Progress } from "../../kernel/call.ts";
import { didYouMean } from "../../kernel/closest.ts";
import { ForgeError } from "../../kernel/errors.ts";
import { getPrompt, invoke, readResource } from "../../kernel/invoke.ts";
import type { PromptMessage } from "../../kernel/prompt.ts";
import type { ResourceContent } from "../../kernel/resource.ts";
import { toolsets } from "../toolsets.ts";
import { type Program, valueIn } from "./program.ts";

/** Everything that assistants get, called by the person at the keyboard. */
export class ToolCalls {
  readonly #program: Program;
  readonly #offer = new Offer(toolsets, false);

  constructor(program: Program) {
    this.#program = program;
  }

  /** A tool as clients would see it, were it listed. */
  describe(name: string): ToolEntry {
    return describeTool(this.#tool(name).item);
  }

  async call(
    name: string,
    input: unknown,
    signal: AbortSignal,
    report?: (progress: Progress) => void,
  ): Promise<unknown> {
    const { toolset, item } = this.#tool(name);
    const { runtime } = this.#program;
    const caller = this.#program.caller(name, signal, report);
    return valueIn(await invoke(runtime, toolset, item, input, caller)).structured;
  }

  async getPrompt(name: string, args: Record<string, string>, signal: AbortSignal): Promise<PromptMessage[]> {
    const found = this.#offer.prompt(name);
    if (!found) throw new ForgeError("NOT_FOUND", `There is no prompt named ${name}.`);
    const { runtime } = this.#program;
    return valueIn(await getPrompt(runtime, found.toolset, found.item, args, this.#program.caller(name, signal)));
  }

  async readResource(uri: string, signal: AbortSignal): Promise<ResourceContent & { mimeType: string }> {
    const found = this.#offer.resource(uri);
    if (!found) throw noSuchResource(uri);
    const { toolset, item, variables } = found;
    const caller = this.#program.caller(uri, signal);
    const content = valueIn(await readResource(this.#program.runtime, toolset, item, variables, caller));
    return { ...content, mimeType: item.mimeType };
  }

  #tool(name: string) {
    const found = this.#offer.tool(name);
    if (found) return found;
    const known = toolsets.flatMap(({ tools }) => tools.map((tool) => tool.name));
    throw new ForgeError("TOOL_NOT_FOUND", `There is no tool named "${name.slice(0, 64)}".`, {
      suggestions: [...didYouMean(name, known), "Run `forge call` to see them all."],
    });
  }
}

function noSuchResource(uri: string): ForgeError {
  const known = toolsets.flatMap(({ resources }) => resources.map((resource) => resource.uri));
  return new ForgeError("NOT_FOUND", `There is no resource at "${uri.slice(0, 64)}".`, {
    suggestions: [...didYouMean(uri, known), "Run `forge resource` to see them all."],
  });
}
