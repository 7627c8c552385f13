import { options } from "preact";
import { showHidden } from "./parts/foreign-text.ts";

/** Attributes that browsers show or read aloud. */
const shownAttributes = ["title", "alt", "aria-label", "placeholder"];

/**
 * Makes what hides or reorders text visible, on every page: a title, a file name or the name of an agent may be written by anyone.
 * What is in fields stays as it is.
 */
export function escapeTexts(): void {
  const before = options.vnode;
  options.vnode = (vnode) => {
    // A text has itself as its properties.
    const props: unknown = vnode.props;
    if (typeof props === "string") Object.assign(vnode, { props: showHidden(props) });
    else if (typeof vnode.type === "string") escapeAttributes(props as Record<string, unknown>);
    before?.(vnode);
  };
}

function escapeAttributes(props: Record<string, unknown>): void {
  for (const name of shownAttributes) {
    const value = props[name];
    if (typeof value === "string") props[name] = showHidden(value);
  }
}
