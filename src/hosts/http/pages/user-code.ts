/** The code of a device as people may type it, in the form it is kept in; empty where it cannot be one. */
export function codeIn(typed: string | undefined): string {
  const letters = (typed ?? "")
    .slice(0, 40)
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "");
  return letters.length === 8 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : "";
}

/** In place of a code: the user is to type it after signing in. */
export const enterCode = "enter";

/** The code of a device, or that one is to be typed; empty where neither was said. */
export function deviceIn(text: string | undefined): string {
  return text === enterCode ? enterCode : codeIn(text);
}
