const maxLength = 30;

/** A team's name as the beginning of its tickets' names: `Acme Röhren` is `acme-rohren`. */
export function slugOf(name: string): string {
  const words = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxLength)
    .replace(/^-|-$/g, "");
  return words === "" ? "team" : words;
}
