import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type CompleteResult,
  type GetPromptResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { complete } from "../../kernel/complete.ts";
import type { ErrorBody } from "../../kernel/errors.ts";
import {
  type Answer,
  type Caller,
  getPrompt,
  invoke,
  type Outcome,
  type Runtime,
  readResource,
} from "../../kernel/invoke.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { Toolset } from "../../kernel/toolset.ts";
import { Asking, askWith, canAsk, identityOf } from "./asking.ts";
import { type ChangedList, changedLists } from "./list-changes.ts";
import { Offer } from "./offer.ts";
import { ProgressReporter } from "./progress.ts";
import { hasFileTools, listCaching, type Surface, toolsFor } from "./surface.ts";
import { Watching } from "./watching.ts";

export type HostOptions<Services> = {
  runtime: Runtime<Services>;
  toolsets: Toolset<Services>[];
  surface: Surface;
  readOnly: boolean;
  /** Who speaks; `agent` is what the client calls itself, `instance` the connection where there is one. */
  principal(agent: string | undefined, instance: string | undefined): Principal;
};

type Speaker = (context: ServerContext) => Principal;

/** The protocol's own. */
const completionLimit = 100;

/** Turns definitions into MCP servers: one per connection (or per request on stateless HTTP), all alike. */
export class McpHost<Services> {
  readonly #options: HostOptions<Services>;
  readonly #asking = new Asking();
  readonly #listeners = new Set<(lists: ChangedList[]) => void>();
  #surface: Surface;
  #offer: Offer<Services>;

  constructor(options: HostOptions<Services>) {
    this.#options = options;
    this.#surface = options.surface;
    this.#offer = new Offer(options.toolsets, options.readOnly);
  }

  get surface(): Surface {
    return this.#surface;
  }

  /** Serves other toolsets from now on, and has the clients told which lists changed. */
  change(toolsets: Toolset<Services>[], surface: Surface): void {
    const lists = changedLists(this.#surface, surface);
    this.#surface = surface;
    this.#offer = new Offer(toolsets, this.#options.readOnly);
    for (const listener of this.#listeners) listener(lists);
  }

  onListsChanged(listener: (lists: ChangedList[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The factory for the SDK's entries: same server on stdio and HTTP, old revisions and new. */
  readonly createServer = (instance?: string): Server => {
    const { serverInfo, instructions, capabilities } = this.#surface;
    const server = new Server(serverInfo, {
      instructions,
      capabilities,
      requestState: { verify: this.#asking.verify },
      cacheHints: {
        "tools/list": listCaching,
        "prompts/list": listCaching,
        "resources/list": listCaching,
        "resources/templates/list": listCaching,
        "server/discover": listCaching,
      },
    });
    this.#serveLists(server);
    const speaker: Speaker = (context) => {
      const agent = agentOf(server, context);
      const principal = this.#options.principal(agent, instance);
      return hasFileTools(agent) ? principal : { ...principal, writesThroughForge: true };
    };
    this.#serveTools(server, speaker);
    this.#servePrompts(server, speaker);
    this.#serveResources(server, speaker);
    this.#serveCompletion(server, speaker);
    return server;
  };

  /** For the entry that owns subscriptions itself: watches what a client listens to. */
  watching(notify: (uri: string) => void): Watching<Services> {
    return new Watching((uri) => this.#offer.resource(uri), this.#options.runtime.services, notify);
  }

  #serveLists(server: Server): void {
    server.setRequestHandler("tools/list", (_request, context) => ({
      tools: toolsFor(this.#surface, agentOf(server, context)),
    }));
    server.setRequestHandler("prompts/list", () => ({ prompts: this.#surface.prompts }));
    server.setRequestHandler("resources/list", () => ({ resources: this.#surface.resources }));
    server.setRequestHandler("resources/templates/list", () => ({
      resourceTemplates: this.#surface.resourceTemplates,
    }));
  }

  #serveTools(server: Server, speaker: Speaker): void {
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      const found = this.#offer.tool(params.name);
      if (!found) throw unknown("tool", params.name);
      return this.#serve(server, speaker, context, params.name, params.arguments, {
        run: (caller) => invoke(this.#options.runtime, found.toolset, found.item, params.arguments, caller),
        answer: callResult,
        failure: failedCall,
      });
    });
  }

  #servePrompts(server: Server, speaker: Speaker): void {
    server.setRequestHandler("prompts/get", async ({ params }, context) => {
      const found = this.#offer.prompt(params.name);
      if (!found) throw unknown("prompt", params.name);
      return this.#serve(server, speaker, context, params.name, params.arguments, {
        run: (caller) => getPrompt(this.#options.runtime, found.toolset, found.item, params.arguments, caller),
        // The kernel's content blocks are the protocol's, loosely typed.
        answer: (messages) => ({ description: found.item.description, messages }) as GetPromptResult,
        failure: rejected,
      });
    });
  }

  #serveResources(server: Server, speaker: Speaker): void {
    server.setRequestHandler("resources/read", async ({ params }, context) => {
      const found = this.#offer.resource(params.uri);
      if (!found) throw new ResourceNotFoundError(params.uri);
      return this.#serve(server, speaker, context, params.uri, undefined, {
        run: (caller) => readResource(this.#options.runtime, found.toolset, found.item, found.variables, caller),
        answer: (content) => ({ contents: [{ uri: params.uri, mimeType: found.item.mimeType, ...content }] }),
        failure: rejected,
      });
    });
    // Only revisions before 2026-07-28 have these two; later ones listen through the entry.
    const watching = this.watching((uri) => void server.sendResourceUpdated({ uri }).catch(() => {}));
    server.setRequestHandler("resources/subscribe", ({ params }) => {
      if (!this.#offer.resource(params.uri)) throw new ResourceNotFoundError(params.uri);
      watching.watch(params.uri);
      return {};
    });
    server.setRequestHandler("resources/unsubscribe", ({ params }) => {
      watching.unwatch(params.uri);
      return {};
    });
    server.onclose = () => watching.close();
  }

  #serveCompletion(server: Server, speaker: Speaker): void {
    server.setRequestHandler("completion/complete", async ({ params }, context) => {
      const { ref, argument } = params;
      const [kind, name] = ref.type === "ref/prompt" ? ["prompt", ref.name] : ["resource", ref.uri];
      const found = ref.type === "ref/prompt" ? this.#offer.prompt(name) : this.#offer.template(name);
      if (!found) throw unknown(kind, name);
      const asker = { principal: speaker(context), signal: context.mcpReq.signal };
      const outcome = await complete<Services>(this.#options.runtime, found.toolset, found.item, argument, asker);
      return outcome.kind === "value" ? completion(outcome.value) : rejected(outcome.body);
    });
  }

  /** One call from the wire to the kernel and back. */
  async #serve<T, Result>(
    server: Server,
    speaker: Speaker,
    context: ServerContext,
    name: string,
    given: unknown,
    how: {
      run(caller: Caller): Promise<Outcome<T>>;
      answer(value: T): Result;
      failure(body: ErrorBody): Result;
    },
  ) {
    const principal = speaker(context);
    const identity = () => identityOf(principal.id, context.mcpReq.method, name, given);
    const answers = this.#asking.answersFor(identity, context);
    const progress = new ProgressReporter(context);
    const outcome = await how.run({
      principal,
      signal: context.mcpReq.signal,
      report: (step) => progress.report(step),
      log: (level, message) => void context.mcpReq.log(level, message, "forge").catch(() => {}),
      canAsk: (kind) => canAsk(kind, capabilitiesOf(server, context)),
      ask: askWith(answers),
    });
    progress.end();
    switch (outcome.kind) {
      case "value":
        return how.answer(outcome.value);
      case "error":
        return how.failure(outcome.body);
      case "asked":
        return this.#asking.put(outcome.questions, identity(), answers, context);
    }
  }
}

/** What the client says of itself: with every request on the stateless revision, once at the start on older ones. */
type Declared = { [CLIENT_INFO_META_KEY]?: { name: string }; [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities };

function agentOf(server: Server, context: ServerContext): string | undefined {
  const declared: Declared = context.mcpReq.envelope ?? {};
  return declared[CLIENT_INFO_META_KEY]?.name ?? server.getClientVersion()?.name;
}

function capabilitiesOf(server: Server, context: ServerContext): ClientCapabilities {
  const declared: Declared = context.mcpReq.envelope ?? {};
  return declared[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities() ?? {};
}

function callResult({ structured, text, content }: Answer): CallToolResult {
  // The kernel's content blocks are the protocol's, loosely typed.
  if (content) return { content } as CallToolResult;
  return { content: [{ type: "text", text }], structuredContent: structured as Record<string, unknown> };
}

function completion(values: string[]): CompleteResult {
  const shown = values.slice(0, completionLimit);
  return { completion: { values: shown, total: values.length, hasMore: values.length > shown.length } };
}

/** No structured content: it would have to fit the tool's output schema, and an error never does. */
function failedCall(body: ErrorBody): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(body, null, 2) }], isError: true };
}

function rejected(body: ErrorBody): never {
  const code = body.code === "INTERNAL_ERROR" ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  throw new ProtocolError(code, body.message, body);
}

function unknown(kind: string, name: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown ${kind}: ${name.slice(0, 128)}`);
}
