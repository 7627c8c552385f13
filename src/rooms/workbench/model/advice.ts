import type { Action } from "../../../kernel/action.ts";

/** What a caller should know, and can do, besides the result. */
export type Advice = { warnings: string[]; next: Action[] };
