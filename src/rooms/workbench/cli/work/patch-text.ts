const head = "diff --git ";
const binary = "GIT binary patch";

/** The lines of a patch for people: what is not text has nothing to read. */
export function withoutBinary(patch: string): string[] {
  let isBinary = false;
  return patch
    .replace(/\n$/, "")
    .split("\n")
    .flatMap((line) => {
      if (line.startsWith(head)) isBinary = false;
      if (isBinary) return [];
      if (line !== binary) return [line];
      isBinary = true;
      return ["Binary file; on a pipe its bytes are here."];
    });
}

/** The files of a patch that text cannot show as they are. */
export function notText(patch: Buffer): string[] {
  if (isUtf8(patch)) return [];
  const names: string[] = [];
  for (let at = 0; at < patch.length; ) {
    const next = patch.indexOf(`\n${head}`, at);
    const end = next < 0 ? patch.length : next + 1;
    const file = patch.subarray(at, end);
    if (!isUtf8(file)) names.push(nameIn(file));
    at = end;
  }
  return names;
}

/** Of `diff --git a/NAME b/NAME`, which has no renames. */
function nameIn(file: Buffer): string {
  const line = file.toString("utf8", head.length, file.indexOf("\n"));
  const half = line.slice(0, (line.length - 1) / 2);
  return half.startsWith('"') ? half.slice(3, -1) : half.slice(2);
}

function isUtf8(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString()).equals(bytes);
}
