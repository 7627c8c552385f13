/** Letters of other scripts that look like Latin ones in most typefaces. */
const foreign = "аеорсхуіјѕԁԛԝһӏмткнвгοανρτυικ";
const latin = "aeopcxyijsdqwhlmtkhbroavptuik";
const lookAlikes = new Map([...foreign].map((character, at) => [character, latin[at] ?? character]));

/** The same for names that a person takes for the same: letter case, composed or not, invisible characters, other scripts. */
function lookAlikeKey(name: string): string {
  const plain = name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase();
  return foldLookAlikes(plain);
}

/** Text in lower case, with Latin letters in place of those that look like them. */
export function foldLookAlikes(text: string): string {
  return [...text].map((character) => lookAlikes.get(character) ?? character).join("");
}

/** New names that look like others that are there, or like each other, as pairs. */
export function findLookAlikes(added: readonly string[], known: readonly string[]): [added: string, like: string][] {
  const seen = new Map<string, string>();
  for (const name of known) seen.set(lookAlikeKey(name), name);
  const pairs: [string, string][] = [];
  for (const name of added) {
    const key = lookAlikeKey(name);
    const other = seen.get(key);
    if (other !== undefined && other !== name) pairs.push([name, other]);
    else seen.set(key, name);
  }
  return pairs;
}
