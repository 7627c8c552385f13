import type { Output } from "../../../kernel/definitions/command.ts";
import { didYouMean } from "../../../kernel/text/closest.ts";
import type { AskLine } from "../../../platform/terminal/ask-line.ts";
import { padText, plain } from "../../../platform/terminal/text.ts";
import { nothingChosen } from "../errors.ts";
import type { FoundClient } from "../service/setup.ts";

/** Shows the assistants that were found and asks which to set up; by default, those inside the project. */
export async function chooseClients(found: FoundClient[], ask: AskLine, out: Output): Promise<string[]> {
  if (found.length === 0) {
    out.note("No assistants found. Name one with --client.");
    return [];
  }
  const defaults = found.filter(({ isOutside }) => !isOutside).map(({ id }) => id);
  out.note("Assistants found:");
  for (const [index, client] of found.entries()) out.note(line(index + 1, client, out));
  for (;;) {
    const question = `Set up which? Numbers or names, "all" or "none" [${defaults.join(", ") || "none"}]: `;
    const answer = await ask(question, out.signal);
    if (answer === undefined) throw nothingChosen();
    const chosen = readAnswer(answer, found, defaults);
    if (Array.isArray(chosen)) return chosen;
    out.note(chosen.problem);
  }
}

function line(number: number, { title, file, isOutside, sign }: FoundClient, { style }: Output): string {
  const where = isOutside ? `${plain(file)}, outside this project` : plain(file);
  return `  ${number}. ${padText(title, 15)} ${where} ${style.dim(`(${plain(sign)})`)}`;
}

function readAnswer(answer: string, found: FoundClient[], defaults: string[]): string[] | { problem: string } {
  const words = answer
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== "");
  if (words.length === 0) return defaults;
  if (words.length === 1 && words[0] === "all") return found.map(({ id }) => id);
  if (words.length === 1 && words[0] === "none") return [];
  const chosen: string[] = [];
  for (const word of words) {
    const client = found[Number(word) - 1] ?? found.find(({ id }) => id === word);
    if (!client)
      return {
        problem: [
          "Not on the list. Enter numbers such as 1,3, or all.",
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
