import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from '../../../components/icons.tsx';
import { clockTime } from '../../../text/clock-time.ts';
import { exactTime } from '../../../text/numbers.ts';

interface StepProps {
  /** What kind of step: its mark's colour. */
  kind: 'turn' | 'call' | 'person' | 'verdicts' | 'correction' | 'plan' | 'note';
  /** Deeper steps belong to the one above. */
  inner?: boolean;
  at?: string | null;
  /** One line; with a fold it opens and shuts the details. */
  head: ComponentChildren;
  /** Shown always, under the head. */
  children?: ComponentChildren;
  fold?: { unfolded: boolean; onToggle: () => void; details: () => ComponentChildren };
}

/** A row of the trajectory: a line, and details on demand. */
export function Step({ kind, inner = false, at = null, head, children, fold }: StepProps) {
  const id = useId();
  return (
    <div class="step" data-kind={kind} data-inner={inner}>
      <div class="step-line">
        {fold ? (
          <button type="button" class="step-head" aria-expanded={fold.unfolded} aria-controls={fold.unfolded ? id : undefined} onClick={fold.onToggle}>
            <span class="step-chevron" aria-hidden="true">
              <Icon name="chevron" />
            </span>
            {head}
          </button>
        ) : (
          <div class="step-head">{head}</div>
        )}
        {at !== null && (
          <time class="muted small numbers nowrap" dateTime={at} title={exactTime(at)}>
            {clockTime(at)}
          </time>
        )}
      </div>
      {children}
      {fold?.unfolded && (
        <div id={id} class="step-details">
          {fold.details()}
        </div>
      )}
    </div>
  );
}
