import { escapeText } from "../../../kernel/text/escape-text.ts";

type Attributes = Record<string, string | number | true | undefined>;

/** The most characters of one field, or of all items of one list, in a prompt. */
const maxField = 65_536;
const maxAttribute = 4_096;

/** Printable characters that XML 1.0 does not allow; control characters and lone surrogates are escaped before. */
const disallowed = /[\ufffe\uffff]/g;
/** A parser turns these into spaces in an attribute. */
const lineEnds = /[\n\t]/g;
const markup = /[&<>"']/g;
const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/**
 * XML from text that anyone may have written. Element names are fixed; everything else is escaped here, so that no text can
 * end its element, start another one, or hide in it.
 */
export class XmlText {
  /** How many invisible characters were escaped. */
  hidden = 0;
  /** Something was left out. */
  isCut = false;
  #text = "";
  #left = maxField;

  toString(): string {
    return this.#text;
  }

  /** An element around text; none if there is no text. */
  field(name: string, text: string | undefined, attributes: Attributes = {}): void {
    this.#left = maxField;
    if (text) this.#element(name, text, attributes);
  }

  /** An element for each item, within one for the list; none if there are no items. */
  list<T>(name: string, items: readonly T[], write: (item: T) => void, attributes: Attributes = {}): void {
    if (items.length === 0) return;
    this.#left = maxField;
    this.nest(name, attributes, () => {
      for (const [index, item] of items.entries()) {
        if (this.#left <= 0) return this.#leaveOut(items.length - index);
        write(item);
      }
    });
  }

  /** One item of a list; its text can be empty. */
  item(name: string, text: string | undefined, attributes: Attributes = {}): void {
    this.#element(name, text ?? "", attributes);
  }

  nest(name: string, attributes: Attributes, write: () => void): void {
    this.#text += `<${name}${this.#attributes(attributes)}>\n`;
    write();
    this.#text += `</${name}>\n`;
  }

  add(other: XmlText): void {
    this.#text += other.#text;
  }

  #element(name: string, text: string, attributes: Attributes): void {
    const content = text === "" ? "/>" : `>${this.#content(text)}</${name}>`;
    this.#text += `<${name}${this.#attributes(attributes)}${content}\n`;
  }

  #attributes(attributes: Attributes): string {
    let text = "";
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined) text += ` ${name}="${this.#attribute(String(value))}"`;
    }
    return text;
  }

  #attribute(value: string): string {
    this.#left -= value.length;
    const kept = value.length > maxAttribute ? trimHalfCharacter(value.slice(0, maxAttribute)) : value;
    const line = this.#escapeHidden(kept).replace(lineEnds, this.#escape);
    if (kept.length === value.length) return escapeMarkup(line);
    this.isCut = true;
    return `${escapeMarkup(line)}…`;
  }

  #content(text: string): string {
    const kept = text.length > this.#left ? trimHalfCharacter(text.slice(0, Math.max(this.#left, 0))) : text;
    this.#left -= text.length;
    const shown = escapeMarkup(this.#escapeHidden(kept));
    if (kept.length === text.length) return shown;
    this.isCut = true;
    return `${shown}${cutMark(text.length - kept.length)}`;
  }

  #escapeHidden(text: string): string {
    const { text: shown, hidden } = escapeText(text);
    this.hidden += hidden;
    return shown.replace(disallowed, this.#escape);
  }

  #escape = (character: string): string => {
    this.hidden++;
    return `\\u{${character.charCodeAt(0).toString(16)}}`;
  };

  #leaveOut(count: number): void {
    this.isCut = true;
    this.#text += `<leftOut count="${count}">Call get_ticket_context for the rest of this list.</leftOut>\n`;
  }
}

function escapeMarkup(text: string): string {
  return text.replace(markup, (character) => entities[character] ?? "");
}

function cutMark(left: number): string {
  return `\n[cut here: ${left} more characters; get_ticket_context has the complete text]`;
}

/** Without half a surrogate pair at the end. */
function trimHalfCharacter(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
