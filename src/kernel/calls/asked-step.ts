import type { z } from "zod";
import type { Tool } from "../definitions/tool.ts";

/**
 * What a person is asked to approve: an operation, what it was called with, what of that they are told, and whether it is one of
 * {@link Tool.ofUser}.
 */
export type AskedStep = { title: string; input: unknown; said?: unknown; ofUser?: boolean | undefined };

/** Of options that are off by default only those that are on are told; all others as they are. */
export function askedStep<Services>(tool: Tool<Services>, input: z.output<z.ZodObject>): AskedStep {
  const { title, ofUser } = tool;
  const { shape }: { shape: Record<string, z.ZodType> } = tool.input;
  const isOffAnyway = (name: string) => shape[name]?.safeParse(undefined).data === false;
  const said = Object.entries(input).filter(([name, value]) => value !== false || !isOffAnyway(name));
  return { title, input, said: Object.fromEntries(said), ofUser: ofUser?.(input) };
}
