import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { foreignChanges, invalidBase64, missingFileNotCreated } from "../../files/errors.ts";
import { detectLineEndings } from "../../files/line-endings.ts";
import {
  aboutFile,
  expectedSha256,
  filePath,
  normalizeFilePath,
  purpose,
  rareEncoding,
  writtenFile,
} from "../../files/schemas.ts";
import {
  encodeText,
  type FileServices,
  openTarget,
  refuseRedactions,
  tryDecode,
  writeTarget,
} from "../../files/write-file.ts";
import { executionId } from "../../model/task-model.ts";

const maxContentLength = 1_048_576;
const byteOrderMark = Buffer.from("\ufeff");

export const forgeWriteFile = defineTool({
  name: "forge_write_file",
  title: "Write a file",
  description: "Create or replace a file in your open execution. To change parts use forge_edit_file.",
  effect: "act",
  core: true,
  unlessClientHas: "file tools",
  input: z.object({
    file_path: filePath,
    content: z.string().max(maxContentLength),
    create_if_not_exists: z.boolean().optional().meta({ default: true }),
    expected_sha256: expectedSha256,
    encoding: rareEncoding,
    purpose,
    execution_id: executionId,
  }),
  output: writtenFile,
  about: aboutFile,
  async run(services: FileServices, input, call) {
    const path = normalizeFilePath(input.file_path);
    const bytes = decodeContent(path, input.content, input.encoding ?? "utf8");
    const target = await openTarget(services, call, path, input);
    if (!target.old && input.create_if_not_exists === false) throw missingFileNotCreated(path);
    if (target.hasForeignChanges && input.expected_sha256 === undefined) throw foreignChanges(path);
    const warnings = target.old ? compareContents(path, target.old.bytes, bytes) : [];
    return writeTarget(services, call, target, { bytes, purpose: input.purpose, warnings });
  },
});

function decodeContent(path: string, content: string, form: "utf8" | "base64"): Buffer {
  if (form === "utf8") return encodeText(path, content);
  const bytes = Buffer.from(content, "base64");
  const isExact = bytes.toString("base64").replaceAll("=", "") === content.replace(/[\s=]/g, "");
  if (!isExact) throw invalidBase64(path);
  return bytes;
}

/** Warns of what the new content changes besides the text. Throws if it would delete a secret. */
function compareContents(path: string, before: Buffer, after: Buffer): string[] {
  const [old, now] = [tryDecode(before), tryDecode(after)];
  if (old === undefined || now === undefined) return [];
  refuseRedactions(path, old, now);
  const warnings: string[] = [];
  if (detectLineEndings(old) === "crlf" && detectLineEndings(now) === "lf")
    warnings.push("The line endings changed from CRLF to LF. An edit of parts of the file would keep them.");
  const hadMark = before.subarray(0, 3).equals(byteOrderMark);
  if (hadMark && !after.subarray(0, 3).equals(byteOrderMark))
    warnings.push("The byte order mark of the file was removed. An edit of parts of the file would keep it.");
  return warnings;
}
