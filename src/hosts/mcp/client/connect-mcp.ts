import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/** An assistant's side of a connection. */
export type McpClient = {
  /** What the tool answers, as data; throws with its text where it fails. */
  call(tool: string, input: Record<string, unknown>): Promise<Record<string, unknown>>;
  close(): Promise<void>;
};

/** Connects to a server over HTTP as assistants do. */
export async function connectMcp(url: string, name: string, token: string | undefined): Promise<McpClient> {
  const client = new Client({ name, version: "1.0.0" });
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return {
    async call(tool, input) {
      const { isError, content, structuredContent = {} } = await client.callTool({ name: tool, arguments: input });
      if (!isError) return structuredContent as Record<string, unknown>;
      const [first] = content;
      throw new Error(`${tool}: ${first?.type === "text" ? first.text : "failed"}`);
    },
    close: () => client.close(),
  };
}
