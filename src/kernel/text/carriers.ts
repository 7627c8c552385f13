/** Where Markdown begins the address of a link or an image. */
const linkAddress = /\]\(([ \t]{0,3}<?)(?:https?:\/\/([^\s/)>?#]{1,255}))?/gi;
const dataAddress = /\bdata:([\w.+/-]{0,80})[;,][^\s)"'<>]*/gi;

/**
 * Text by others in which no link or image is one: a client that renders Markdown would load an image from its host, and tell
 * the host what the address says. The address stays as text, after its host; data in an address is left out.
 */
export function showCarriers(text: string): string {
  if (!text.includes("](") && !text.includes("]:") && !/\bdata:/i.test(text)) return text;
  return (
    text
      .replace(dataAddress, (address, type: string) => `data:${type} (${address.length} characters left out)`)
      // A definition that a link elsewhere in the text refers to.
      .replaceAll("]:", "] :")
      .replace(linkAddress, (found, _space: string, host: string | undefined) => {
        const where = host === undefined ? "" : ` {${host}}`;
        return `]${where} ${found.slice(1)}`;
      })
  );
}
