import type { ComponentChildren } from 'preact';
import './figures.css';

interface FigureTableProps {
  title: string;
  /** What the figures mean, where their heads don't say it. */
  hint?: string;
  /** Said instead of a table without rows. */
  empty: string;
  first: string;
  columns: readonly string[];
  rows: readonly { key: string; name: ComponentChildren; cells: readonly ComponentChildren[] }[];
}

/** Names, and figures beside them. */
export function FigureTable({ title, hint, empty, first, columns, rows }: FigureTableProps) {
  return (
    <section class="card">
      <h2 class="table-title">{title}</h2>
      {hint && <p class="muted small table-hint">{hint}</p>}
      {rows.length === 0 ? (
        <p class="muted card-body">{empty}</p>
      ) : (
        <div class="table-frame" tabIndex={0} role="region" aria-label={title}>
          <table class="table">
            <thead>
              <tr>
                <th scope="col">{first}</th>
                {columns.map((column) => (
                  <th key={column} scope="col" class="end">
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
                    <td key={index} class="end numbers">
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
