import type { App, OfferedPrompt } from "../../../commons/cli/app.ts";
import { fields, text } from "../../../commons/cli/json-fields.ts";
import { definitions, exampleLines, sections, usageLines, widthFor } from "../../../commons/cli/print/help-layout.ts";
import type { Output } from "../../../kernel/definitions/command.ts";
import type { PromptMessage } from "../../../kernel/definitions/prompt.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { didYouMean } from "../../../kernel/text/closest.ts";
import { wrapText } from "../../../platform/terminal/text.ts";
import { readArguments } from "./arguments.ts";
import type { Property } from "./shape.ts";

/** Prints what a prompt says: its texts for a person or a pipe, everything with `--json`. */
export async function runPrompt(app: App, name: string, words: string[], out: Output): Promise<number> {
  const prompt = findPrompt(app, name);
  const given = readArguments({ by: "prompt", name }, argumentsOf(prompt), words);
  const args = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, String(value)]));
  const messages = await app.tools.prompt(name, args, out.signal);
  out.data({ messages }, () => messages.map(textOf).join("\n\n"));
  return 0;
}

export function showPromptHelp(app: App, name: string, out: Output): void {
  const prompt = findPrompt(app, name);
  const width = widthFor(out);
  const words = prompt.arguments.map(({ name: key, required }) => (required ? `${key}=TEXT` : `[${key}=TEXT]`));
  const needed = prompt.arguments.filter(({ required }) => required).map(({ name: key }) => `${key}=TEXT`);
  out.data(prompt, () =>
    sections([
      wrapText(`${prompt.title}.`, width),
      usageLines(`forge prompt ${name}`, words, width),
      ...prompt.description.split("\n").map((paragraph) => wrapText(paragraph, width)),
      definitions(
        "Arguments:",
        prompt.arguments.map(({ name: key, description = "" }) => [key, description]),
        out,
      ),
      exampleLines([[["forge", "prompt", name, ...needed].join(" "), "Print the prompt."]], out),
    ]),
  );
}

function findPrompt(app: App, name: string): OfferedPrompt {
  const prompts = app.tools.catalog.flatMap(({ prompts }) => prompts);
  const prompt = prompts.find((candidate) => candidate.name === name);
  if (prompt) return prompt;
  const near = didYouMean(
    name,
    prompts.map((candidate) => candidate.name),
  );
  throw new ForgeError("NOT_FOUND", `There is no prompt named "${name.slice(0, 64)}".`, {
    next: [...near, { command: "prompt", why: "to see all prompts" }],
  });
}

/** A prompt's arguments are text, all of them. */
function argumentsOf(prompt: OfferedPrompt): Property[] {
  return prompt.arguments.map(({ name, description = "", required }) => ({
    name,
    required,
    help: description,
    fallback: undefined,
    shape: { kind: "text", choices: [] },
  }));
}

function textOf({ content }: PromptMessage): string {
  if (content.type === "text") return text(content["text"]);
  const { text: embedded, mimeType } = content.type === "resource" ? fields(content["resource"]) : content;
  return (
    text(embedded) || `[${content.type}${text(mimeType) === "" ? "" : `, ${text(mimeType)}`}; see --json for all of it]`
  );
}
