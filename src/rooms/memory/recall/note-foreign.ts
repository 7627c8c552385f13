import type { Call } from "../../../kernel/calls/call.ts";
import type { Memory } from "../model/memory.ts";
import type { MemoryServices } from "../model/services.ts";

type TrustReader = Pick<MemoryServices, "isTrusted">;

/** Notes that the caller is about to read what others wrote, before it does. */
export async function noteForeignMemories(
  services: TrustReader,
  call: Call,
  memories: readonly Memory[],
): Promise<void> {
  const isOthers = memories.some(({ writtenBy }) => writtenBy !== call.principal.id);
  const isFromFile = memories.some(({ origin }) => origin === "file");
  if (isOthers || (isFromFile && !(await services.isTrusted(call.signal)))) await call.noteUntrusted();
}

/** The same for text of the project's files. */
export async function noteProjectText(services: TrustReader, call: Call): Promise<void> {
  if (!(await services.isTrusted(call.signal))) await call.noteUntrusted();
}
