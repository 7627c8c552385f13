import * as z from "zod";
import { ForgeError } from "../../../../kernel/errors.ts";
import { defineTool } from "../../../../kernel/tool.ts";
import { shownPath } from "../../../../platform/files/root/relative-path.ts";
import { detectLineEndings } from "../../files/line-endings.ts";
import {
  aboutFile,
  encoding,
  expectedSha256,
  filePath,
  normalizeFilePath,
  purpose,
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

export const forgeWriteFile = defineTool({
  name: "forge_write_file",
  title: "Write a whole file",
  description:
    "Call it to create a file or replace all of its content, in your open execution (forge_execute_task opens one). For a part of a file use forge_edit_file. Folders are made as needed; what is written is on the disk when this answers.",
  effect: "act",
  unlessClientHas: "file tools",
  input: z.object({
    file_path: filePath,
    content: z.string().max(maxContentLength).describe("All of it, as it is to be."),
    create_if_not_exists: z.boolean().optional().describe("False: only where it exists. Default true."),
    expected_sha256: expectedSha256,
    encoding: encoding.optional().describe("Of `content`; utf8 unless told."),
    purpose,
    execution_id: executionId,
  }),
  output: writtenFile,
  about: aboutFile,
  async run(services: FileServices, input, call) {
    const path = normalizeFilePath(input.file_path);
    const bytes = decodeContent(path, input.content, input.encoding ?? "utf8");
    const target = await openTarget(services, call, path, input);
    if (!target.old && input.create_if_not_exists === false) throw notThere(path);
    if (target.hasOthersWork && input.expected_sha256 === undefined) throw othersWork(path);
    const warnings = target.old ? compareContents(path, target.old.bytes, bytes) : [];
    const { written } = await writeTarget(services, call, target, { bytes, purpose: input.purpose, warnings });
    return written;
  },
});

function decodeContent(path: string, content: string, form: "utf8" | "base64"): Buffer {
  if (form === "utf8") return encodeText(path, content);
  const bytes = Buffer.from(content, "base64");
  const isExact = bytes.toString("base64").replaceAll("=", "") === content.replace(/[\s=]/g, "");
  if (isExact) return bytes;
  throw new ForgeError("VALIDATION_ERROR", `The content for ${shownPath(path)} is no base64.`, {
    details: { path },
    next: ["Encode it again, or send it as utf8."],
  });
}

/** What the new content silently changes besides the text. Throws where it would lose a secret. */
function compareContents(path: string, before: Buffer, after: Buffer): string[] {
  const [old, now] = [tryDecode(before), tryDecode(after)];
  if (old === undefined || now === undefined) return [];
  refuseRedactions(path, old, now);
  const warnings: string[] = [];
  if (detectLineEndings(old) === "crlf" && detectLineEndings(now) === "lf")
    warnings.push("The file's lines ended in CRLF and now end in LF; forge_edit_file keeps them.");
  const bom = Buffer.from("\ufeff");
  if (before.subarray(0, 3).equals(bom) && !after.subarray(0, 3).equals(bom))
    warnings.push("The file began with a byte order mark, which is gone; forge_edit_file keeps it.");
  return warnings;
}

function othersWork(path: string): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `${shownPath(path)} has changes that are not committed and were not made through Forge's tools: somebody's work, perhaps, that a whole new content would take away. Nothing was written.`,
    {
      details: { path },
      next: [
        "Change only what is needed with forge_edit_file, which leaves the rest as it is.",
        "Where the changes are yours, or are in the new content: read the file, and pass its hash as `expected_sha256`.",
      ],
    },
  );
}

function notThere(path: string): ForgeError {
  return new ForgeError("NOT_FOUND", `${shownPath(path)} does not exist, and create_if_not_exists is false.`, {
    details: { path },
    next: ["Leave create_if_not_exists out to create it, or list the files to find its name."],
  });
}
