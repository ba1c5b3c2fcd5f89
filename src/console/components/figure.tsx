import type { ComponentChildren } from 'preact';
import './figures.css';

export function Figures({ children }: { children: ComponentChildren }) {
  return <dl class="figures">{children}</dl>;
}

interface FigureProps {
  name: string;
  value: ComponentChildren;
  /** A page that shows what it counts. */
  href?: string;
  children?: ComponentChildren;
}

/** A number that is looked at first, and what it is made of. */
export function Figure({ name, value, href, children }: FigureProps) {
  return (
    <div class="card figure">
      <dt>{name}</dt>
      <dd class="figure-value numbers">
        {href ? (
          <a href={href} data-page>
            {value}
          </a>
        ) : (
          value
        )}
      </dd>
      <dd class="muted small">{children}</dd>
    </div>
  );
}
