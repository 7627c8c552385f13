import { ForgeError } from "../../../../kernel/errors.ts";
import type { Status } from "../../model/status.ts";

type Words = Partial<Record<Status, string>>;

/** The words that generations of ticket servers have for a status, the likeliest generation first. */
const generations: readonly Words[] = [
  {
    DRAFT: "draft",
    VALIDATED: "validated",
    READY: "ready",
    WAITING_FOR_APPROVAL: "waiting-for-approval",
    CREATED: "created",
    DRIFTED: "drifted",
    COMPLETE: "complete",
  },
  {
    DRAFT: "draft",
    VALIDATED: "dev-refining",
    WAITING_FOR_APPROVAL: "review",
    READY: "forged",
    CREATED: "executing",
    COMPLETE: "complete",
    ARCHIVED: "archived",
  },
  {
    DRAFT: "draft",
    VALIDATED: "defined",
    WAITING_FOR_APPROVAL: "refined",
    READY: "approved",
    CREATED: "executing",
    COMPLETE: "delivered",
    ARCHIVED: "archived",
  },
  {
    DRAFT: "draft",
    IN_QUESTION_ROUND_1: "in-question-round-1",
    IN_QUESTION_ROUND_2: "in-question-round-2",
    IN_QUESTION_ROUND_3: "in-question-round-3",
    QUESTIONS_COMPLETE: "questions-complete",
    VALIDATED: "validated",
    READY: "ready",
    CREATED: "created",
    DRIFTED: "drifted",
    COMPLETE: "complete",
  },
];

/** Which words a server has for statuses, learned from those it sends. */
export class StatusAliases {
  #likely = generations;
  #isUpperCase = false;

  /** What one word leaves open, the next may decide; a word that fits none of them leaves things as they are. */
  learn(word: unknown): void {
    if (typeof word !== "string") return;
    const plain = word.trim().toLowerCase().replaceAll("_", "-");
    const knowing = (words: Words) => Object.values(words).includes(plain);
    const fitting = this.#likely.filter(knowing);
    this.#likely =
      fitting.length > 0 ? fitting : generations.some(knowing) ? generations.filter(knowing) : this.#likely;
    this.#isUpperCase = word.trim() !== plain && word.trim() === word.trim().toUpperCase();
  }

  /** What the server may call it, the likeliest first; VALIDATION_ERROR with what it has where it has no word for it. */
  aliasesOf(status: Status): [string, ...string[]] {
    const words = this.#likely.flatMap((generation) => generation[status] ?? []);
    const [first, ...others] = [...new Set(words)].map((word) => this.#spelled(word));
    if (first !== undefined) return [first, ...others];
    const known = Object.keys(this.#likely[0] ?? {});
    throw new ForgeError("VALIDATION_ERROR", `This server has no status ${status}. Nothing was changed.`, {
      details: { status, known },
      next: [`It has ${known.join(", ")}.`],
    });
  }

  #spelled(word: string): string {
    return this.#isUpperCase ? word.toUpperCase().replaceAll("-", "_") : word;
  }
}
