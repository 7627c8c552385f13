import type { ContractFormat } from "../model/contract-names.ts";

export type ParsedContract = { content: unknown; warning?: string };

/** The content of a contract's text. What does not parse is the text itself, with a warning that says where it stops. */
export async function parseContract(text: string, format: ContractFormat, file: string): Promise<ParsedContract> {
  if (format === "markdown") return { content: text };
  return format === "json" ? parseJson(text, file) : await parseYaml(text, file);
}

function parseJson(text: string, file: string): ParsedContract {
  try {
    return { content: JSON.parse(text) };
  } catch (error) {
    return asText(text, file, "JSON", reasonOf(error));
  }
}

/** Aliases are limited by the parser itself, so that a small file cannot become a large value. */
async function parseYaml(text: string, file: string): Promise<ParsedContract> {
  const { parseDocument } = await import("../../../commons/yaml/yaml.ts");
  try {
    const document = parseDocument(text, { prettyErrors: true, logLevel: "silent" });
    const [problem] = document.errors;
    if (problem) return asText(text, file, "YAML", firstLine(problem.message));
    const content: unknown = document.toJS({ maxAliasCount: 100 });
    // A value that JSON cannot say could not be returned.
    return { content: JSON.parse(JSON.stringify(content ?? null)) };
  } catch (error) {
    return asText(text, file, "YAML", reasonOf(error));
  }
}

function asText(text: string, file: string, kind: string, why: string): ParsedContract {
  return { content: text, warning: `${file} is not valid ${kind}, so its text is returned as it is: ${why}` };
}

function reasonOf(error: unknown): string {
  return firstLine(error instanceof Error ? error.message : "unknown");
}

function firstLine(message: string): string {
  return message.split("\n", 1)[0]?.slice(0, 300) ?? "";
}
