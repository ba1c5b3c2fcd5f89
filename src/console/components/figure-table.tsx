import type { ComponentChildren } from 'preact';
import './figures.css';

interface FigureTableProps {
  title: string;
  /** What the figures mean, where their heads don't say it. */
  hint?: string;
  /** The title stands above it already. */
  bare?: boolean;
  /** Said instead of a table without rows. */
  empty: string;
  first: string;
  columns: readonly string[];
  /** How many of the first columns hold words rather than figures; 0 unless given. */
  words?: number;
  rows: readonly { key: string; name: ComponentChildren; cells: readonly ComponentChildren[] }[];
}

/** With more columns than this their heads are broken into lines. */
const WIDE = 5;

/** Names, and figures beside them. */
export function FigureTable({ title, hint, bare = false, empty, first, columns, words = 0, rows }: FigureTableProps) {
  return (
    <section class={bare ? undefined : 'card'}>
      {!bare && <h2 class="table-title">{title}</h2>}
      {hint && <p class="muted small table-hint">{hint}</p>}
      {rows.length === 0 ? (
        <p class="muted card-body">{empty}</p>
      ) : (
        <div class="table-frame" tabIndex={0} role="region" aria-label={title}>
          <table class="table figure-table" data-wide={columns.length > WIDE}>
            <thead>
              <tr>
                <th scope="col">{first}</th>
                {columns.map((column, index) => (
                  <th key={column} scope="col" class={index < words ? undefined : 'end'}>
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.key}>
                  <td>{row.name}</td>
                  {row.cells.map((cell, index) => (
                    <td key={index} class={index < words ? undefined : 'end numbers'}>
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
