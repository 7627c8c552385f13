import type * as z from "zod";
import type { App } from "../../../../commons/cli/app.ts";
import { defineCommand } from "../../../../kernel/definitions/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { contractNames } from "../../model/contract-names.ts";
import type { getContractText } from "../../tools/contracts/get-contract-text.ts";
import type { saveContractText } from "../../tools/contracts/save-contract-text.ts";
import { noEditor } from "../errors.ts";
import { commandFacts } from "../shared.ts";

type ContractText = z.output<(typeof getContractText)["output"]>;
type Saved = z.output<(typeof saveContractText)["output"]>;

export const governanceEdit = defineCommand({
  ...commandFacts,
  name: "governance edit",
  summary: "Edit a contract in your editor",
  details:
    "Opens the contract in the editor that VISUAL or EDITOR names, else nano or vi, and saves it when the editor is closed. A " +
    "contract that does not exist yet starts with a first version.",
  examples: [["forge governance edit boundaries", "Change the layers."]],
  arguments: [{ name: "name", required: true, help: "The contract's name." }],
  complete: async () => contractNames.map((value) => ({ value })),
  async run(app: App, { positionals: [name = ""] }, out) {
    const { editor } = app.terminal;
    if (!editor) throw noEditor(name);
    app.failOnSignals();
    const options = { signal: out.signal, command: "forge governance edit" };
    const { text, sha256, file } = (await app.tools.call("get_contract_text", { name }, options)) as ContractText;
    const draft = await editor.open(name, text);
    const end = await draft.edit(out.signal);
    const edited = draft.exists() ? await draft.read() : text;
    const isEnded = "code" in end && end.code === 0;
    if (!isEnded || (edited === text && sha256 !== undefined)) {
      await draft.remove();
      out.note("Nothing was changed.");
      return isEnded ? 0 : 1;
    }
    try {
      const input = { name, text: edited, ...(sha256 !== undefined && { sha256 }) };
      const saved = (await app.tools.call("save_contract_text", input, options)) as Saved;
      await draft.remove();
      for (const warning of saved.warnings ?? []) out.note(`${out.style.yellow("warning:")} ${warning}`);
      out.data(saved, () => `Saved ${file}.`);
      return 0;
    } catch (error) {
      if (error instanceof ForgeError) out.note(`Your text is in ${draft.path}.`);
      throw error;
    }
  },
});
