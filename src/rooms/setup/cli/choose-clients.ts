import { didYouMean } from "../../../kernel/closest.ts";
import type { Output } from "../../../kernel/command.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { AskLine } from "../../../platform/terminal/ask-line.ts";
import { pad, plain } from "../../../platform/terminal/text.ts";
import type { FoundClient } from "../index.ts";

/** Shows what was found and asks which of it to set up; the default is what stays inside the project. */
export async function chooseClients(found: FoundClient[], ask: AskLine, out: Output): Promise<string[]> {
  if (found.length === 0) {
    out.note("No assistant was found here; name one with --client.");
    return [];
  }
  const usual = found.filter(({ isOutside }) => !isOutside).map(({ id }) => id);
  out.note("Assistants found:");
  for (const [index, client] of found.entries()) out.note(line(index + 1, client, out));
  for (;;) {
    const question = `Set up which? Numbers or names, "all" or "none" [${usual.join(", ") || "none"}]: `;
    const answer = await ask(question, out.signal);
    if (answer === undefined) throw new ForgeError("CANCELLED", "Nothing was set up.");
    const chosen = readAnswer(answer, found, usual);
    if (Array.isArray(chosen)) return chosen;
    out.note(chosen.problem);
  }
}

function line(number: number, { title, file, isOutside, sign }: FoundClient, { style }: Output): string {
  const where = isOutside ? `${plain(file)}, outside this project` : plain(file);
  return `  ${number}. ${pad(title, 15)} ${where} ${style.dim(`(${plain(sign)})`)}`;
}

function readAnswer(answer: string, found: FoundClient[], usual: string[]): string[] | { problem: string } {
  const words = answer
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== "");
  if (words.length === 0) return usual;
  if (words.length === 1 && words[0] === "all") return found.map(({ id }) => id);
  if (words.length === 1 && words[0] === "none") return [];
  const chosen: string[] = [];
  for (const word of words) {
    const client = found[Number(word) - 1] ?? found.find(({ id }) => id === word);
    if (!client)
      return {
        problem: [
          `"${plain(word)}" is none of them.`,
          ...didYouMean(
            word,
            found.map(({ id }) => id),
          ),
        ].join(" "),
      };
    if (!chosen.includes(client.id)) chosen.push(client.id);
  }
  return chosen;
}
