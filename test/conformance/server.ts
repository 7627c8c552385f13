/** The conformance suite's fixtures on the product's own host code. Prints the address once it listens. */
import { randomUUID } from "node:crypto";
import { createApp } from "../../src/hosts/http/app.ts";
import { listen } from "../../src/hosts/http/serve/listen.ts";
import { describeToolset } from "../../src/hosts/mcp/lists/catalog.ts";
import { makeLists } from "../../src/hosts/mcp/lists/lists.ts";
import { McpHost } from "../../src/hosts/mcp/mcp-host.ts";
import { McpHttp } from "../../src/hosts/mcp/mcp-http.ts";
import type { Runtime } from "../../src/kernel/calls/invoke.ts";
import type { Toolset } from "../../src/kernel/definitions/toolset.ts";
import { localPrincipal } from "../../src/kernel/principal.ts";
import { Redactor } from "../../src/kernel/text/redactor.ts";
import { served } from "../harness/mcp/fixture-host.ts";
import { type FixtureServices, fixtures } from "./fixtures.ts";

const added = { tools: false, prompts: false };
const runtime: Runtime<FixtureServices> = {
  services: {
    toggle(list) {
      added[list] = !added[list];
      host.change([served(current(), runtime)], lists());
    },
  },
  recorder: { open: async () => {}, close: async () => {} },
  redactor: new Redactor(),
  newId: randomUUID,
  now: () => performance.now(),
  log: () => {},
};

/** The fixtures, with one more tool or prompt where that list was toggled. */
function current(): Toolset<FixtureServices> {
  const { tools, prompts } = fixtures;
  const [tool] = tools;
  const [prompt] = prompts;
  return {
    ...fixtures,
    tools: added.tools && tool ? [...tools, { ...tool, name: "test_added_tool" }] : tools,
    prompts: added.prompts && prompt ? [...prompts, { ...prompt, name: "test_added_prompt" }] : prompts,
  };
}

function lists() {
  const options = { serverName: "forge-conformance", version: "0.0.0", toolsets: ["fixtures"], readOnly: false };
  return makeLists([describeToolset(current())], { ...options, listChanged: true });
}

const host: McpHost = new McpHost({
  runtime,
  toolsets: [served(current(), runtime)],
  lists: lists(),
  word: String,
  readOnly: false,
  principal: (agent) => localPrincipal("conformance", agent),
});
const mcp = new McpHttp(host, () => {});
const app = createApp({
  mcp: (request) => mcp.fetch(request),
  status: undefined,
  routes: [],
  requester: async () => ({ runtime, principal: localPrincipal("conformance"), about: [] }),
  redactor: runtime.redactor,
  log: () => {},
  newId: randomUUID,
});
const { url } = await listen(app, { host: "127.0.0.1", port: 0 }, false);
process.stdout.write(`${url}/mcp\n`);
