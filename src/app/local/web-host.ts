import { createApp } from "../../hosts/http/app.ts";
import type { Status } from "../../hosts/http/pages/status-page.ts";
import { type HttpListener, listen, parseAddress } from "../../hosts/http/serve/listen.ts";
import type { McpHost } from "../../hosts/mcp/mcp-host.ts";
import { McpHttp } from "../../hosts/mcp/mcp-http.ts";
import type { Log } from "../../platform/log.ts";
import type { LinkTokens } from "../../platform/secrets/link-token.ts";
import type { RoomSet } from "../room-set.ts";
import { openBoard } from "./board.ts";
import type { Program } from "./program.ts";

const shownCalls = 50;

type WebHostOptions = {
  host: McpHost;
  program: Program;
  address: string | undefined;
  /** Without an address. If another program has it, any free one is taken. */
  port: number;
  log: Log;
  page: Pick<Status, "version" | "project" | "toolsets"> | undefined;
  roomSet: RoomSet;
  readOnly: boolean;
  tokens: LinkTokens | undefined;
};

/** Puts MCP, the REST routes, the board and the status page on one port. */
export async function serveWebHost({
  host,
  program,
  address,
  port,
  log,
  page,
  roomSet,
  readOnly,
  tokens,
}: WebHostOptions): Promise<Pick<HttpListener, "url" | "addressUrl" | "port" | "close">> {
  const { redactor, newId } = await program.openShared();
  const { ledger } = await program.store();
  const hasTokens = tokens !== undefined;
  const board = await openBoard({ program, roomSet, page, mcpUrl: () => `${url}/mcp`, readOnly, hasTokens });
  const mcp = new McpHttp(host, (text) => log("warning", text));
  let url = "";
  const app = createApp({
    mcp: (request) => mcp.fetch(request),
    tokens,
    status:
      page &&
      (async () => ({
        ...page,
        mcpUrl: `${url}/mcp`,
        activity: (await ledger.latest({ limit: shownCalls })).reverse(),
      })),
    ...board,
    redactor,
    log: (message, fields) => log("error", message, fields),
    newId,
  });
  const listening = await listen(app, parseAddress(address, port), !address);
  url = listening.url;
  return {
    url,
    addressUrl: listening.addressUrl,
    port: listening.port,
    async close() {
      board.stop();
      await mcp.close();
      await listening.close();
    },
  };
}
