import type { Call } from "../../../kernel/calls/call.ts";
import type { Memory } from "../model/memory.ts";
import type { MemoryServices } from "../model/services.ts";

type TrustReader = Pick<MemoryServices, "isTrusted">;
type TextReader = Pick<MemoryServices, "foreignTexts">;

export function memorySubject(id: string): string {
  return `memory:${id}`;
}

export function failureSubject(fingerprint: string): string {
  return `failure:${fingerprint}`;
}

/** Notes that the caller is about to read what others wrote, before it does. */
export async function noteForeignMemories(
  { foreignTexts }: TextReader,
  call: Call,
  memories: readonly Memory[],
): Promise<void> {
  const subjects = memories.map(({ id }) => memorySubject(id));
  await foreignTexts.noteRead(call, subjects);
  // A file that was imported can be anyone's: trust in the project says nothing about it.
  const isByOthers = ({ writtenBy, origin }: Memory) => writtenBy !== call.principal.id || origin === "file";
  if (memories.some(isByOthers)) await call.noteUntrusted();
}

/** The same for failures that assistants filed. */
export async function noteForeignFailures(
  { foreignTexts }: TextReader,
  call: Call,
  failures: readonly { fingerprint?: string | undefined }[],
): Promise<void> {
  const filed = failures.flatMap(({ fingerprint }) => (fingerprint === undefined ? [] : [failureSubject(fingerprint)]));
  await foreignTexts.noteRead(call, filed);
}

/** The same for text of the project's files. */
export async function noteProjectText(
  services: TrustReader,
  call: Pick<Call, "signal" | "noteUntrusted">,
): Promise<void> {
  if (!(await services.isTrusted(call.signal))) await call.noteUntrusted();
}
