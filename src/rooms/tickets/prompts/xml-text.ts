import { escapeText } from "../reading/escape-text.ts";

type Attributes = Record<string, string | number | true | undefined>;

/** Characters of one field, or of all items of one list, that a prompt holds. */
const maxField = 65_536;
const maxAttribute = 4_096;

/** Plain characters that XML 1.0 has no way to hold; control characters and half surrogates are made visible before. */
const unspeakable = /[\ufffe\uffff]/g;
/** A parser makes blanks of these in an attribute. */
const lineEnds = /[\n\t]/g;
const markup = /[&<>"']/g;
const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/**
 * XML made of text that anybody may have written. Names of elements are ours; all else is escaped here and nowhere else, so
 * that no text can end its element, begin another, or hide in it.
 */
export class XmlText {
  /** Characters that were made visible. */
  hidden = 0;
  /** Something was left out. */
  isCut = false;
  #text = "";
  #room = maxField;

  toString(): string {
    return this.#text;
  }

  /** An element that holds text; none where there is no text. */
  field(name: string, text: string | undefined, attributes: Attributes = {}): void {
    this.#room = maxField;
    if (text) this.#element(name, text, attributes);
  }

  /** An element for each item, in one that holds them; none where there are no items. */
  list<T>(name: string, items: readonly T[], write: (item: T) => void, attributes: Attributes = {}): void {
    if (items.length === 0) return;
    this.#room = maxField;
    this.nested(name, attributes, () => {
      for (const [index, item] of items.entries()) {
        if (this.#room <= 0) return this.#leaveOut(items.length - index);
        write(item);
      }
    });
  }

  /** One item of a list, which may have no text. */
  item(name: string, text: string | undefined, attributes: Attributes = {}): void {
    this.#element(name, text ?? "", attributes);
  }

  nested(name: string, attributes: Attributes, write: () => void): void {
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
    this.#room -= value.length;
    const kept = value.length > maxAttribute ? trimHalfCharacter(value.slice(0, maxAttribute)) : value;
    const line = this.#shown(kept).replace(lineEnds, this.#escape);
    if (kept.length === value.length) return escapeMarkup(line);
    this.isCut = true;
    return `${escapeMarkup(line)}…`;
  }

  #content(text: string): string {
    const kept = text.length > this.#room ? trimHalfCharacter(text.slice(0, Math.max(this.#room, 0))) : text;
    this.#room -= text.length;
    const shown = escapeMarkup(this.#shown(kept));
    if (kept.length === text.length) return shown;
    this.isCut = true;
    return `${shown}${cutMark(text.length - kept.length)}`;
  }

  #shown(text: string): string {
    const { text: shown, hidden } = escapeText(text);
    this.hidden += hidden;
    return shown.replace(unspeakable, this.#escape);
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
  return `\n[cut here: ${left} more characters; get_ticket_context has the whole text]`;
}

/** Without half a character at its end. */
function trimHalfCharacter(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
