/** How the lines of a text end. */
export function detectLineEndings(text: string): "none" | "lf" | "crlf" | "mixed" {
  let [crlf, lf] = [0, 0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    if (text[at - 1] === "\r") crlf++;
    else lf++;
  }
  if (crlf > 0 && lf > 0) return "mixed";
  if (crlf > 0) return "crlf";
  return lf > 0 ? "lf" : "none";
}

/** With CRLF at the end of every line. */
export function toCrlf(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}
