import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { isReadable } from "../../../../platform/files/protected-names.ts";
import { executionAbout } from "../../executions/mappers.ts";
import { limits } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";

const maxDiffBytes = 64 * 1_048_576;

export const forgeDiffExecution = defineTool({
  name: "forge_diff_execution",
  title: "Show the diff of an execution",
  description: "What an execution has changed since it started, as a patch in base64.",
  effect: "read",
  untrusted: "repository",
  verbatim: true,
  surfaces: ["cli"],
  deadlineMs: 300_000,
  input: z.object({ execution_id: z.string().min(1).max(limits.id) }),
  output: z.object({
    execution_id: z.string().max(limits.id),
    patch: z.string().max(2 * maxDiffBytes),
    truncated: z.boolean(),
    aside: z.array(z.string().max(4_096)).max(100_000).describe("Changed files that may belong to someone else"),
  }),
  about: executionAbout,
  async run({ executions, redactor }: Pick<WorkbenchServices, "executions" | "redactor">, { execution_id }, call) {
    const { execution, bytes, truncated, aside } = await executions.diff(call, execution_id, {
      maxBytes: maxDiffBytes,
    });
    // From base64, nothing is removed later. A command shows a person their own files.
    const patch = call.record.kind === "command" ? bytes : hideSecrets(bytes, redactor);
    return { execution_id: execution.id, patch: patch.toString("base64"), truncated, aside };
  },
});

/** Without what looks like a secret, and without the content of files that are not shown either. Byte by byte the same otherwise. */
function hideSecrets(patch: Buffer, redactor: WorkbenchServices["redactor"]): Buffer {
  const shown = patch
    .toString("latin1")
    .split(/^(?=diff --git )/m)
    .map((part) => {
      const [header = ""] = part.split("\n", 1);
      const start = Math.max(header.lastIndexOf(" b/"), header.lastIndexOf(' "b/') + 1) + 3;
      const name = header.slice(start).replace(/"$/, "");
      return isReadable(name) ? part : `${header}\n`;
    });
  return Buffer.from(redactor.text(shown.join("")), "latin1");
}
