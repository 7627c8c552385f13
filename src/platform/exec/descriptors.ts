import { openSync, readdirSync, readFileSync } from "node:fs";
import { ForgeError } from "../../kernel/errors.ts";

const closeOnExec = 0o2000000;
const folder = "/proc/self/fdinfo";
/** A table of places this long is nothing to the system; beyond it nothing is run, rather than handing something on. */
const maxDescriptor = 65_536;

let inheritedDescriptors: number[] | undefined;
let emptyDescriptor: number | undefined;

/**
 * What stands in a child's place of descriptors that our own parent left open to us: Node keeps its own from children,
 * and of inherited ones only the low. A child gets an empty one instead; we cannot know whose they are, so ours stay open.
 */
export function maskDescriptors(from: number): (number | undefined)[] {
  inheritedDescriptors ??= process.platform === "linux" ? findInheritable() : [];
  const masked = inheritedDescriptors.filter((descriptor) => descriptor >= from);
  if (masked.some((descriptor) => descriptor > maxDescriptor)) throw tooHigh();
  if (masked.length === 0) return [];
  emptyDescriptor ??= openSync("/dev/null", "r");
  const table = new Array<number | undefined>(Math.max(...masked) + 1 - from).fill(undefined);
  for (const descriptor of masked) table[descriptor - from] = emptyDescriptor;
  return table;
}

function findInheritable(): number[] {
  try {
    return readdirSync(folder)
      .map(Number)
      .filter((descriptor) => descriptor > 2 && isInheritable(descriptor));
  } catch {
    return [];
  }
}

function tooHigh(): ForgeError {
  return new ForgeError(
    "DEPENDENCY_ERROR",
    "Forge was started with open files that its child processes would inherit.",
    {
      next: ["Start Forge from a program that closes its own files, or with fewer open files."],
    },
  );
}

function isInheritable(descriptor: number): boolean {
  try {
    const [, flags = ""] = /^flags:\s*([0-7]{1,20})/m.exec(readFileSync(`${folder}/${descriptor}`, "utf8")) ?? [];
    return (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    // The one the list itself was read through is closed by now.
    return false;
  }
}
