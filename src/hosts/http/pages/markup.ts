type Part = Markup | string | number | undefined | false | readonly Part[];

/** Text that is HTML. Only {@link html} makes it, so that what came from anywhere else is escaped. */
export class Markup {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  static build(parts: TemplateStringsArray, values: readonly Part[]): Markup {
    return new Markup(String.raw({ raw: parts }, ...values.map(renderPart)));
  }
}

/** A piece of a page: html`<p>${anything}</p>`. What is undefined or false leaves no trace. */
export function html(parts: TemplateStringsArray, ...values: Part[]): Markup {
  return Markup.build(parts, values);
}

function renderPart(part: Part): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map(renderPart).join("");
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
