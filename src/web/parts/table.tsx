import type { ComponentChildren } from "preact";

type Column<Row> = { title: string; cell(row: Row): ComponentChildren; class?: string };

type TableProps<Row> = {
  label: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** Instead of a table without rows. */
  none?: ComponentChildren;
};

/** A table that scrolls sideways by itself where the page is narrow, also with the keyboard. */
export function Table<Row>({ label, columns, rows, keyOf, none }: TableProps<Row>) {
  if (rows.length === 0 && none !== undefined) return <p class="muted">{none}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables scroll, which the keyboard must be able to do too.
    <section class="table-box" aria-label={label} tabIndex={0}>
      <table class="table">
        <thead>
          <tr>
            {columns.map(({ title }) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, class: name }) => (
                <td key={title} class={name}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
