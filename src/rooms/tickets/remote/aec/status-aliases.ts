import type { Status } from "../../model/status.ts";
import { statusNotSupported } from "../errors.ts";

type Words = Partial<Record<Status, string>>;

/** The names that versions of AEC servers use for statuses, the likeliest version first. */
const versions: readonly Words[] = [
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

/** Which names a server uses for statuses, learned from those it sends. */
export class StatusAliases {
  #likely = versions;
  #isUpperCase = false;

  /** Narrows down the version with every name; a name that no version uses changes nothing. */
  learn(word: unknown): void {
    if (typeof word !== "string") return;
    const plain = word.trim().toLowerCase().replaceAll("_", "-");
    const uses = (words: Words) => Object.values(words).includes(plain);
    const narrowed = this.#likely.filter(uses);
    this.#likely = narrowed.length > 0 ? narrowed : versions.some(uses) ? versions.filter(uses) : this.#likely;
    this.#isUpperCase = word.trim() !== plain && word.trim() === word.trim().toUpperCase();
  }

  /** What the server may call a status, the likeliest first; throws if it has no name for it. */
  aliasesOf(status: Status): [string, ...string[]] {
    const words = this.#likely.flatMap((version) => version[status] ?? []);
    const [first, ...others] = [...new Set(words)].map((word) => this.#spell(word));
    if (first !== undefined) return [first, ...others];
    throw statusNotSupported(status, Object.keys(this.#likely[0] ?? {}));
  }

  #spell(word: string): string {
    return this.#isUpperCase ? word.toUpperCase().replaceAll("-", "_") : word;
  }
}
