import { DefinitionText } from "./definitions/definition-text.ts";
import { alreadyThere, wrongCreation } from "./errors.ts";
import type { ProjectFiles } from "./project-files.ts";
import type { Fields, Kind } from "./types.ts";

export type NewAgent = {
  name: string;
  description?: string | undefined;
  provider?: string | undefined;
  model?: string | undefined;
  tools?: string[] | undefined;
  prompt?: string | undefined;
  extends?: string | undefined;
  tags?: string[] | undefined;
};
export type NewTool = {
  name: string;
  description?: string | undefined;
  command?: string | undefined;
  extends?: string | undefined;
  tags?: string[] | undefined;
};
export type Created = { name: string; path: string; dryRun: boolean; text: string };

type Options = { force?: boolean | undefined; dryRun?: boolean | undefined };

const namePattern = /^[a-z][a-z0-9-]{0,99}$/;
const firstVersion = "1.0.0";
const defaultModel = "claude-sonnet-4";

/** Writes new definitions into the project. */
export class Creator {
  readonly #files: ProjectFiles;

  constructor(files: ProjectFiles) {
    this.#files = files;
  }

  agent(
    {
      name,
      description,
      provider = "anthropic",
      model = defaultModel,
      tools = [],
      prompt,
      extends: base,
      tags = [],
    }: NewAgent,
    options: Options,
  ): Promise<Created> {
    const fields: Fields = {
      name,
      type: "agent",
      version: firstVersion,
      description: description ?? `The ${name} agent.`,
      ...(base !== undefined && { extends: base }),
      llm: { provider, model },
      tools,
      tags: tags.length > 0 ? tags : [name],
      system_prompt: prompt ?? `You are ${name}.\n`,
    };
    return this.#write("agent", name, DefinitionText.render(fields, "agent", "yaml"), options);
  }

  tool({ name, description, command = "true", extends: base, tags = [] }: NewTool, options: Options): Promise<Created> {
    const fields: Fields = {
      name,
      type: "tool",
      version: firstVersion,
      description: description ?? `The ${name} tool.`,
      ...(base !== undefined && { extends: base }),
      tags: tags.length > 0 ? tags : [name],
      parameters: {},
      implementation: { type: "bash", bash: { command } },
    };
    return this.#write("tool", name, DefinitionText.render(fields, "tool", "yaml"), options);
  }

  async #write(
    kind: Kind,
    name: string,
    text: DefinitionText,
    { force = false, dryRun = false }: Options,
  ): Promise<Created> {
    if (!namePattern.test(name))
      throw wrongCreation(
        `"${name.slice(0, 100)}" cannot be the name of a new ${kind}.`,
        "Use lower-case letters, digits and hyphens, starting with a letter.",
      );
    const file = `${kind}s/${name}.yaml`;
    const path = this.#files.pathOf(file);
    if (!force && (await this.#files.exists(file))) throw alreadyThere(`The ${kind} ${name}`, path);
    if (!dryRun) await this.#files.write(file, text.toString());
    return { name, path, dryRun, text: text.toString() };
  }
}
