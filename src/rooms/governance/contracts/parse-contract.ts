import { isDeeperThan } from "../../../kernel/json.ts";
import type { Contract } from "../model/contract.ts";
import { type ContractFormat, type ContractName, contractFiles, formatOf } from "../model/contract-names.ts";
import { limits } from "../model/limits.ts";

/** Deeper than people write, and than other programs can read. */
const maxDepth = 64;
/** Parsing takes far longer than reading. */
const yamlLimits = { maxBytes: 524_288, maxValues: 20_000 };
/** Aliases can make a small file a large value. */
const maxCharacters = 4 * limits.contract;

/** A contract of this text. One that does not parse is the text itself, with a warning that says where it stops. */
export async function parseContract(name: ContractName, text: string): Promise<Contract> {
  const [filename, format] = [contractFiles[name], formatOf(name)];
  try {
    return { name, filename, format, content: await parseText(text, format) };
  } catch (error) {
    const [why = ""] = (error instanceof Error ? error.message : "unknown").split("\n", 1);
    const kind = format.toUpperCase();
    const warning = `${filename} is not valid ${kind}, so its text is returned as it is: ${why.slice(0, 300)}`;
    return { name, filename, format, content: text, warnings: [warning] };
  }
}

async function parseText(text: string, format: ContractFormat): Promise<unknown> {
  if (format === "markdown") return text;
  const content: unknown = format === "json" ? JSON.parse(text) : await parseYamlText(text);
  if (isDeeperThan(content, maxDepth)) throw new Error("it is nested too deeply");
  // A value that JSON cannot say could not be returned.
  const json = JSON.stringify(content ?? null);
  if (json.length > maxCharacters) throw new Error("its aliases make it too large");
  return format === "json" ? content : JSON.parse(json);
}

async function parseYamlText(text: string): Promise<unknown> {
  const { parseYaml, YamlFault } = await import("../../../commons/yaml/parse-yaml.ts");
  try {
    return parseYaml(text, yamlLimits).value;
  } catch (error) {
    if (!(error instanceof YamlFault) || error.line === undefined) throw error;
    throw new Error(`line ${error.line}: ${error.message}`, { cause: error });
  }
}
