import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

type VirtualListProps<Item> = {
  items: readonly Item[];
  /** All rows have the same height, in pixels, so that no row has to be measured. */
  rowHeight: number;
  keyOf(item: Item): string;
  row(item: Item, index: number): ComponentChildren;
  label: string;
  class?: string;
};

const overscan = 6;

/** A list of any length with only the rows in the page that can be seen. */
export function VirtualList<Item>({ items, rowHeight, keyOf, row, label, class: name = "" }: VirtualListProps<Item>) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 900 });
  const measure = () => {
    const { scrollTop = 0, clientHeight = 0 } = box.current ?? {};
    setView((before) => {
      const isNear = Math.abs(before.top - scrollTop) < rowHeight && before.height === clientHeight;
      return isNear ? before : { top: scrollTop, height: clientHeight };
    });
  };
  useLayoutEffect(measure, []);
  useEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(measure);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const first = Math.max(0, Math.floor(view.top / rowHeight) - overscan);
  const last = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + overscan);
  const top = first * rowHeight;
  return (
    <div class={`virtual ${name}`} ref={box} onScroll={measure} tabIndex={items.length > 0 ? -1 : undefined}>
      <ul aria-label={label} style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, index) => (
          <li
            key={keyOf(item)}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            style={{ transform: `translateY(${top + index * rowHeight}px)`, height: `${rowHeight}px` }}
          >
            {row(item, first + index)}
          </li>
        ))}
      </ul>
    </div>
  );
}
