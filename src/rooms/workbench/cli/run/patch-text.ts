const fileHeader = "diff --git ";
const binaryHeader = "GIT binary patch";

/** The lines of a patch for a terminal, without the data of binary files. */
export function omitBinaryData(patch: string): string[] {
  let isBinary = false;
  return patch
    .replace(/\n$/, "")
    .split("\n")
    .flatMap((line) => {
      if (line.startsWith(fileHeader)) isBinary = false;
      if (isBinary) return [];
      if (line !== binaryHeader) return [line];
      isBinary = true;
      return ["Binary file; its data is only printed to a pipe."];
    });
}

/** The files of a patch that are not UTF-8. */
export function findNonUtf8Files(patch: Buffer): string[] {
  if (isUtf8(patch)) return [];
  const names: string[] = [];
  for (let at = 0; at < patch.length; ) {
    const next = patch.indexOf(`\n${fileHeader}`, at);
    const end = next < 0 ? patch.length : next + 1;
    const file = patch.subarray(at, end);
    if (!isUtf8(file)) names.push(readFileName(file));
    at = end;
  }
  return names;
}

/** From `diff --git a/NAME b/NAME`; there are no renames. */
function readFileName(file: Buffer): string {
  const line = file.toString("utf8", fileHeader.length, file.indexOf("\n"));
  const half = line.slice(0, (line.length - 1) / 2);
  return half.startsWith('"') ? half.slice(3, -1) : half.slice(2);
}

function isUtf8(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString()).equals(bytes);
}
