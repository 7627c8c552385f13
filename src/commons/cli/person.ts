import type { Approval } from "../guard/approvals.ts";
import type { TrustState } from "../trust/trust-editor.ts";

/** What only a person decides, by a command; nothing that is served to assistants has it. */
export type Person = {
  trust(signal: AbortSignal): Promise<TrustState>;
  /** Trusts what was shown, and nothing else. */
  giveTrust(shown: TrustState): Promise<void>;
  /** Returns whether there was any. */
  takeTrustBack(): Promise<boolean>;
  /** Changes that wait for a word. */
  approvals(): Promise<Approval[]>;
  decide(shown: Approval, decision: "approved" | "denied"): Promise<void>;
  /** Yes or no; undefined where nobody is at a terminal to ask. */
  confirm(question: string, signal: AbortSignal): Promise<boolean | undefined>;
};

/** Where the project is and where Forge keeps what it knows of it. */
export type ProjectReport = {
  root: string;
  inGit: boolean;
  store: { engine: "sqlite" | "postgres"; place: string; exists: boolean };
};
