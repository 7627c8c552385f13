/** Where Markdown begins the address of a link or an image. */
const linkAddress = /\]\(([ \t]{0,3}<?)(?:https?:\/\/([^\s/)>?#]{1,255}))?/gi;
const dataAddress = /\bdata:([\w.+/-]{0,80})[;,][^\s)"'<>]*/gi;
/** Elements of HTML that load something, lead elsewhere or run; Markdown may contain them. */
const loadingElement =
  /<(?=(?:a|applet|area|audio|base|bgsound|body|button|embed|fencedframe|form|frame|frameset|iframe|image|img|input|link|math|meta|object|picture|portal|script|source|style|svg|table|td|th|tr|track|video)[\s/>])/gi;
/** With one of these any element does. */
const loadingAttribute = /[\s/"'](?:style|on[a-z]{3,30})\s{0,20}=/i;
const anyElement = /<(?=[a-z])/gi;

/** Whether a text may contain something that {@link showCarriers} changes. */
export function mayContainCarriers(text: string): boolean {
  return text.includes("](") || text.includes("]:") || text.includes("<") || /data:/i.test(text);
}

/**
 * Text by others in which no link or image is one: a client that renders Markdown would load an image from its host, and tell
 * the host what the address says. The address stays as text, after its host; data in an address is left out.
 */
export function showCarriers(text: string): string {
  if (!mayContainCarriers(text)) return text;
  return (
    text
      .replace(dataAddress, (address, type: string) => `data:${type} (${address.length} characters left out)`)
      .replace(loadingAttribute.test(text) ? anyElement : loadingElement, "< ")
      // A definition that a link elsewhere in the text refers to.
      .replaceAll("]:", "] :")
      .replace(linkAddress, (found, _space: string, host: string | undefined) => {
        const where = host === undefined ? "" : ` {${host}}`;
        return `]${where} ${found.slice(1)}`;
      })
  );
}
