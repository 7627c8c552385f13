import * as z from "zod";

/** Schemas are compiled at their first use, which pays off when they are used many times. A command uses them once. */
export function interpretSchemas(): void {
  z.config({ jitless: true });
}
