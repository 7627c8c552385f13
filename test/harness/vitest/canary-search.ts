import { chmodSync, closeSync, constants, type Dirent, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, inflateSync } from "node:zlib";
import { mayLieIn, readPlace } from "./canary.ts";

/** Only sparse files are larger. */
const mostBytes = 64 * 1_048_576;

/** Files under a folder that contain a planted secret, other than where it was planted. */
export function findCanaries(folder: string, prefix: string): string[] {
  const needles = encodingsOf(prefix);
  return [...filesUnder(folder)].flatMap((path) => {
    const content = contentOf(path);
    if (!content) return [];
    const found = [content, ...unpacked(path, content)].find((bytes) => holdsStray(bytes, path, prefix, needles));
    return found ? [path] : [];
  });
}

/** As plain text, in UTF-16, in hexadecimal, and in base64 at each of the three possible offsets. */
function encodingsOf(prefix: string): Buffer[] {
  const base64 = [0, 1, 2].map((shift) => {
    const whole = Buffer.from(" ".repeat(shift) + prefix).toString("base64");
    // The first and last characters hold bits of their neighbours too.
    return whole.slice(shift === 0 ? 0 : shift + 1, Math.floor(((prefix.length + shift) * 4) / 3) - 1);
  });
  const texts = [prefix, Buffer.from(prefix).toString("hex"), ...base64];
  return [...texts.map((text) => Buffer.from(text)), Buffer.from(prefix, "utf16le")];
}

function holdsStray(bytes: Buffer, path: string, prefix: string, needles: Buffer[]): boolean {
  const [plain, ...encoded] = needles;
  if (encoded.some((needle) => bytes.includes(needle))) return true;
  for (let at = bytes.indexOf(plain ?? ""); at >= 0; at = bytes.indexOf(plain ?? "", at + 1)) {
    const around = bytes.subarray(Math.max(0, at - 4), at + 200).toString("latin1");
    if (!mayLieIn(path, readPlace(around, prefix))) return true;
  }
  return false;
}

function* filesUnder(folder: string): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesUnder(path);
    else if (entry.isFile()) yield path;
  }
}

/** Tests leave folders without read permission; they are ours, so we restore it. */
function entriesOf(folder: string): Dirent[] {
  const options = { withFileTypes: true } as const;
  try {
    return readdirSync(folder, options);
  } catch {
    try {
      chmodSync(folder, 0o700);
      return readdirSync(folder, options);
    } catch {
      return [];
    }
  }
}

function contentOf(path: string): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const bytes = Buffer.alloc(Math.min(fstatSync(descriptor).size, mostBytes));
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The content of git objects, packs and compressed files. */
function unpacked(path: string, content: Buffer): Buffer[] {
  try {
    if (/\/objects\/[0-9a-f]{2}\/[0-9a-f]{38,62}$/.test(path)) return [inflateSync(content)];
    if (content.subarray(0, 4).toString("latin1") === "PACK") return packEntries(content);
    if (content[0] === 0x1f && content[1] === 0x8b) return [gunzipSync(content)];
  } catch {
    // Broken on purpose, by a test; what can be read of it is read as it is.
  }
  return [];
}

function packEntries(pack: Buffer): Buffer[] {
  const entries: Buffer[] = [];
  let at = 12;
  for (let left = pack.readUInt32BE(8); left > 0; left--) {
    const type = ((pack[at] ?? 0) >> 4) & 7;
    at = afterNumber(pack, at);
    if (type === 6) at = afterNumber(pack, at);
    if (type === 7) at += 20;
    const { buffer, engine } = inflate(pack.subarray(at));
    entries.push(buffer);
    at += engine.bytesWritten;
  }
  return entries;
}

/** The stream's own length is only known once it is read; the types do not know that it can be asked for. */
function inflate(bytes: Buffer): { buffer: Buffer; engine: { bytesWritten: number } } {
  return inflateSync(bytes, { info: true }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
}

function afterNumber(pack: Buffer, from: number): number {
  let at = from;
  while (((pack[at] ?? 0) & 0x80) !== 0) at++;
  return at + 1;
}
