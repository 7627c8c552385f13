import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** What the client says of itself: with every request on the stateless revision, once at the start on older ones. */
type ClientDeclaration = {
  [CLIENT_INFO_META_KEY]?: { name: string };
  [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
};

export function agentOf(server: Server, context: ServerContext): string | undefined {
  const declared: ClientDeclaration = context.mcpReq.envelope ?? {};
  return declared[CLIENT_INFO_META_KEY]?.name ?? server.getClientVersion()?.name;
}

export function capabilitiesOf(server: Server, context: ServerContext): ClientCapabilities {
  const declared: ClientDeclaration = context.mcpReq.envelope ?? {};
  return declared[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities() ?? {};
}
