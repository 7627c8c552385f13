import { type GetPromptResult, ResourceNotFoundError, Server, type ServerContext } from "@modelcontextprotocol/server";
import type { ActionFormatter } from "../../kernel/action.ts";
import { complete } from "../../kernel/calls/complete.ts";
import { type Caller, getPrompt, invoke, type Outcome, type Runtime, readResource } from "../../kernel/calls/invoke.ts";
import type { ErrorBody } from "../../kernel/errors.ts";
import type { Principal } from "../../kernel/principal.ts";
import { agentOf, capabilitiesOf } from "./client-declaration.ts";
import { DefinitionRegistry, type ServedToolset } from "./definition-registry.ts";
import { enableToolset } from "./lists/enable-toolset.ts";
import { type ChangedList, changedLists } from "./lists/list-changes.ts";
import {
  enableToolsetName,
  hasFileTools,
  isConfinedToProject,
  listCaching,
  listOffered,
  type McpLists,
  toolsFor,
} from "./lists/lists.ts";
import { ProgressReporter } from "./progress-reporter.ts";
import { canAsk, identityOf, makeAsk, QuestionExchange } from "./question-exchange.ts";
import { ResourceWatcher } from "./resources/resource-watcher.ts";
import { callResult, completion, failureResult, reject, unknownName } from "./results.ts";

export type HostOptions = {
  /** For calls that are about the connection itself. */
  runtime: Omit<Runtime<unknown>, "services">;
  toolsets: readonly ServedToolset[];
  lists: McpLists;
  readOnly: boolean;
  /** How an assistant is told what to do next. */
  word: ActionFormatter;
  /** Who speaks; `agent` is what the client calls itself, `instance` the connection where there is one. */
  principal(agent: string | undefined, instance: string | undefined): Principal;
};

/** The toolsets that one connection has enabled. On stateless requests there is no connection, and nothing is kept. */
export class Connection {
  readonly instance: string | undefined;
  readonly enabled = new Set<string>();

  constructor(instance?: string) {
    this.instance = instance;
  }
}

type Speaker = (context: ServerContext) => Principal;

/** Turns definitions into MCP servers: one per connection, or per request on stateless HTTP. */
export class McpHost {
  readonly #options: HostOptions;
  readonly #questions = new QuestionExchange();
  readonly #listeners = new Set<(lists: ChangedList[]) => void>();
  #lists: McpLists;
  #registry: DefinitionRegistry;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#lists = options.lists;
    this.#registry = new DefinitionRegistry(options.toolsets, options.readOnly);
  }

  get lists(): McpLists {
    return this.#lists;
  }

  /** Serves other toolsets from now on, and has the clients told which lists changed. */
  change(toolsets: readonly ServedToolset[], lists: McpLists): void {
    const changed = changedLists(this.#lists, lists);
    this.#lists = lists;
    this.#registry = new DefinitionRegistry(toolsets, this.#options.readOnly);
    for (const listener of this.#listeners) listener(changed);
  }

  onListsChanged(listener: (lists: ChangedList[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The factory for the SDK's entries: same server on stdio and HTTP, old revisions and new. */
  readonly createServer = (connection: Connection = new Connection()): Server => {
    const { serverInfo, instructions, capabilities } = this.#lists;
    const server = new Server(serverInfo, {
      instructions,
      capabilities,
      requestState: { verify: this.#questions.verify },
      cacheHints: {
        "tools/list": listCaching,
        "prompts/list": listCaching,
        "resources/list": listCaching,
        "resources/templates/list": listCaching,
        "server/discover": listCaching,
      },
    });
    this.#serveLists(server, connection);
    const speaker: Speaker = (context) => {
      const agent = agentOf(server, context);
      const principal = this.#options.principal(agent, connection.instance);
      return {
        ...principal,
        ...(!hasFileTools(agent) && { writesThroughForge: true as const }),
        ...(isConfinedToProject(agent) && { isConfinedToProject: true as const }),
        // What only reads changes nothing on the way either: a prompt records no start of work.
        ...(this.#options.readOnly && { readOnly: true as const }),
      };
    };
    this.#serveTools(server, speaker, connection);
    this.#servePrompts(server, speaker);
    this.#serveResources(server, speaker);
    this.#serveCompletion(server, speaker);
    return server;
  };

  /** For an entry that handles subscriptions itself: watches what clients listen to. */
  watchResources(notify: (uri: string) => void): ResourceWatcher {
    return new ResourceWatcher((uri) => this.#registry.resource(uri), notify);
  }

  #serveLists(server: Server, { enabled }: Connection): void {
    server.setRequestHandler("tools/list", (_request, context) => ({
      tools: toolsFor(this.#lists, agentOf(server, context), enabled),
    }));
    server.setRequestHandler("prompts/list", () => ({ prompts: this.#lists.prompts }));
    server.setRequestHandler("resources/list", () => ({ resources: this.#lists.resources }));
    server.setRequestHandler("resources/templates/list", () => ({
      resourceTemplates: this.#lists.resourceTemplates,
    }));
  }

  /** The tool that lists more tools belongs to the connection, not to a room. */
  #enableTool(server: Server, client: string | undefined, { enabled, instance }: Connection) {
    const offered = listOffered(this.#lists, client);
    const enable = (toolset: string) => {
      if (instance === undefined) return false;
      if (!enabled.has(toolset)) {
        enabled.add(toolset);
        void server.sendToolListChanged().catch(() => {});
      }
      return true;
    };
    const runtime = { ...this.#options.runtime, services: { offered, enable } };
    return { toolset: "toolsets", item: enableToolset, runtime };
  }

  #serveTools(server: Server, speaker: Speaker, connection: Connection): void {
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      const canEnable = params.name === enableToolsetName && Object.keys(this.#lists.offered).length > 0;
      const found = canEnable
        ? this.#enableTool(server, agentOf(server, context), connection)
        : await this.#registry.tool(params.name);
      if (!found) throw unknownName("tool", params.name);
      return this.#serve(server, speaker, context, params.name, params.arguments, {
        run: (caller) => invoke(found.runtime, found.toolset, found.item, params.arguments, caller),
        answer: callResult,
        failure: (body) => failureResult(body, this.#options.word),
      });
    });
  }

  #servePrompts(server: Server, speaker: Speaker): void {
    server.setRequestHandler("prompts/get", async ({ params }, context) => {
      const found = await this.#registry.prompt(params.name);
      if (!found) throw unknownName("prompt", params.name);
      return this.#serve(server, speaker, context, params.name, params.arguments, {
        run: (caller) => getPrompt(found.runtime, found.toolset, found.item, params.arguments, caller),
        // The kernel's content blocks are the protocol's, loosely typed.
        answer: (messages) => ({ description: found.item.description, messages }) as GetPromptResult,
        failure: (body) => reject(body, this.#options.word),
      });
    });
  }

  #serveResources(server: Server, speaker: Speaker): void {
    server.setRequestHandler("resources/read", async ({ params }, context) => {
      const found = await this.#registry.resource(params.uri);
      if (!found) throw new ResourceNotFoundError(params.uri);
      return this.#serve(server, speaker, context, params.uri, undefined, {
        run: (caller) => readResource(found.runtime, found.toolset, found.item, found.variables, caller),
        answer: (content) => ({ contents: [{ uri: params.uri, mimeType: found.item.mimeType, ...content }] }),
        failure: (body) => reject(body, this.#options.word),
      });
    });
    // Only revisions before 2026-07-28 have these two; later ones use subscriptions/listen.
    const watcher = this.watchResources((uri) => void server.sendResourceUpdated({ uri }).catch(() => {}));
    server.setRequestHandler("resources/subscribe", async ({ params }) => {
      if (!(await this.#registry.resource(params.uri))) throw new ResourceNotFoundError(params.uri);
      await watcher.watch(params.uri);
      return {};
    });
    server.setRequestHandler("resources/unsubscribe", ({ params }) => {
      watcher.unwatch(params.uri);
      return {};
    });
    server.onclose = () => watcher.close();
  }

  #serveCompletion(server: Server, speaker: Speaker): void {
    server.setRequestHandler("completion/complete", async ({ params }, context) => {
      const { ref, argument } = params;
      const [kind, name] = ref.type === "ref/prompt" ? ["prompt", ref.name] : ["resource", ref.uri];
      const found = await (ref.type === "ref/prompt" ? this.#registry.prompt(name) : this.#registry.template(name));
      if (!found) throw unknownName(kind, name);
      const asker = { principal: speaker(context), signal: context.mcpReq.signal };
      const outcome = await complete(found.runtime, found.toolset, found.item, argument, asker);
      return outcome.kind === "value" ? completion(outcome.value) : reject(outcome.body, this.#options.word);
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
    const answers = this.#questions.answersFor(identity, context);
    const progress = new ProgressReporter(context);
    const outcome = await how.run({
      principal,
      signal: context.mcpReq.signal,
      report: (step) => progress.report(step),
      log: (level, message) => void context.mcpReq.log(level, message, "forge").catch(() => {}),
      canAsk: (kind) => canAsk(kind, capabilitiesOf(server, context)),
      ask: makeAsk(answers),
    });
    progress.end();
    switch (outcome.kind) {
      case "value":
        return how.answer(outcome.value);
      case "error":
        return how.failure(outcome.body);
      case "asked":
        return this.#questions.put(outcome.questions, identity(), answers, context);
    }
  }
}
