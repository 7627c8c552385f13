import type { Person } from "../../commons/cli/person.ts";
import type { Approvals } from "../../commons/guard/approvals.ts";
import type { TrustEditor } from "../../commons/trust/trust-editor.ts";
import { userName } from "../../platform/host/user-name.ts";
import { type ConfirmTerminal, confirm } from "../../platform/terminal/confirm.ts";

type PersonOptions = {
  root: string;
  terminal: ConfirmTerminal;
  approvals(): Promise<Approvals>;
  name(): Promise<string>;
};

/** The user at this machine. Everything heavy loads when it is used. */
export function openPerson({ root, terminal, approvals, name }: PersonOptions): Person {
  return {
    trust: async (signal) => (await openTrustEditor()).state(root, signal),
    giveTrust: async (shown) => (await openTrustEditor()).grant(shown, userName()),
    takeTrustBack: async () => (await openTrustEditor()).revoke(root),
    approvals: async () => (await approvals()).listWaiting(),
    decide: async (shown, decision) => (await approvals()).decide(shown, decision, await name()),
    confirm: (question, signal) => confirm(question, terminal, signal),
  };
}

async function openTrustEditor(): Promise<TrustEditor> {
  const [{ TrustEditor }, { Git }] = await Promise.all([
    import("../../commons/trust/trust-editor.ts"),
    import("../../platform/git/git.ts"),
  ]);
  return new TrustEditor({ git: new Git() });
}
