/** An agent as its file has it. */
export function agent(name: string, fields: Record<string, unknown> = {}): string {
  const all = {
    name,
    type: "agent",
    version: "1.0.0",
    description: `The ${name}`,
    llm: { provider: "anthropic", model: "claude-sonnet-4" },
    tools: [],
    tags: ["test"],
    system_prompt: `You are ${name}.\n`,
    ...fields,
  };
  return JSON.stringify(all);
}

export function tool(name: string, fields: Record<string, unknown> = {}): string {
  const all = {
    name,
    type: "tool",
    version: "1.0.0",
    description: `The ${name}`,
    tags: ["test"],
    parameters: { scope: { type: "string", required: true, description: "What to run" } },
    implementation: { type: "bash", bash: { command: "npm test" } },
    ...fields,
  };
  return JSON.stringify(all);
}
