import { useEffect, useState } from "preact/hooks";
import { readTool } from "../data/api.ts";
import { onEntry } from "../data/events.ts";
import type { ExecutionRecord } from "../data/types.ts";
import { describeProblem } from "../parts/toast.tsx";

type Shown = { record?: ExecutionRecord; patch?: string; isCut?: boolean; problem?: string };

const pauseMs = 300;
/** In base64; a multiple of four. A larger diff would stop the browser, and nobody reads it there. */
const maxPatch = 8 * 1_048_576;

/** An execution with its diff, read again when something happened in it. */
export function useExecution(id: string): Shown {
  const [shown, setShown] = useState<Shown>({});
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const read = async () => {
      try {
        const record = await readTool<ExecutionRecord>("forge_get_execution", { execution_id: id, full: true });
        setShown((before) => ({ ...before, record }));
        const { patch } = await readTool<{ patch: string }>("forge_diff_execution", { execution_id: id });
        setShown({ record, patch: decodeBase64(patch.slice(0, maxPatch)), isCut: patch.length > maxPatch });
      } catch (error) {
        setShown((before) => (before.record ? before : { problem: describeProblem(error) }));
      }
    };
    setShown({});
    void read();
    const stop = onEntry(({ about, effect, outcome }) => {
      const isOurs =
        about.includes(`execution:${id}`) || (effect === "act" && about.some((item) => item.startsWith("file:")));
      if (!isOurs || effect === "read" || outcome === "open") return;
      waiting ??= setTimeout(() => {
        waiting = undefined;
        void read();
      }, pauseMs);
    });
    return () => {
      clearTimeout(waiting);
      stop();
    };
  }, [id]);
  return shown;
}

function decodeBase64(text: string): string {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}
