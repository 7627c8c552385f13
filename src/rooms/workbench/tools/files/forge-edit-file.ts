import * as z from "zod";
import { diffLines, formatHunks } from "../../../../commons/diff/line-diff.ts";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { applyEdits } from "../../files/apply-edits.ts";
import { missingFile } from "../../files/errors.ts";
import { decodeFile } from "../../files/read-file.ts";
import { aboutFile, expectedSha256, filePath, normalizeFilePath, purpose, writtenFile } from "../../files/schemas.ts";
import { encodeText, type FileServices, openTarget, writeTarget } from "../../files/write-file.ts";
import { limits } from "../../model/limits.ts";
import { executionId } from "../../model/task-model.ts";

const maxEdits = 100;
const maxDiff = { maxLength: 8_000, maxLineLength: 500 };

export const forgeEditFile = defineTool({
  name: "forge_edit_file",
  title: "Edit a file",
  description:
    "Change parts of a file in your open execution. Each old_text must occur exactly once, unless replace_all. All edits are applied in order, or none.",
  effect: "act",
  untrusted: "repository",
  verbatim: true,
  core: true,
  unlessClientHas: "file tools",
  input: z.object({
    file_path: filePath,
    edits: z
      .array(
        z.strictObject({
          old_text: z.string().min(1).max(limits.text),
          new_text: z.string().max(limits.text),
          replace_all: z.boolean().optional(),
        }),
      )
      .min(1)
      .max(maxEdits),
    expected_sha256: expectedSha256,
    purpose,
    execution_id: executionId,
  }),
  output: writtenFile.extend({ diff: z.string().max(limits.message) }),
  about: aboutFile,
  async run(services: FileServices, input, call) {
    const path = normalizeFilePath(input.file_path);
    const target = await openTarget(services, call, path, input);
    if (!target.old) throw missingFile(path);
    const { text, hasBom } = decodeFile(target.old.bytes, path);
    // From the whole text: a part of a secret is not recognized.
    const show = (whole: string) => services.redactor.lines(whole);
    const edited = applyEdits(path, text, input.edits, show);
    const bytes = encodeText(path, `${hasBom ? "\ufeff" : ""}${edited}`);
    const { purpose: why } = input;
    const written = await writeTarget(services, call, target, { bytes, purpose: why, warnings: [] });
    return { ...written, diff: formatHunks(diffLines(show(text), show(edited)).hunks, maxDiff) };
  },
});
