import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../../i18n/index.ts';
import { plain } from '../../text/visible.ts';
import { Icon } from '../icons.tsx';
import { SafeText } from '../safe-text.tsx';
import type { ProblemKind } from './check.ts';
import type { FieldProps } from './schema-form.tsx';

export interface Control {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

/** Name, description, control and problem of a field. */
export function FieldFrame({ schema, name, place, problems, onRemove, children }: FieldProps & { children: (control: Control) => ComponentChildren }) {
  const id = useId();
  const problem = problems.get(place);
  const description = typeof schema['description'] === 'string' ? schema['description'] : null;
  const described = [description === null ? '' : `${id}-hint`, problem === undefined ? '' : `${id}-problem`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <div class="row">
        <label for={id}>
          <SafeText text={name} oneLine />
        </label>
        {onRemove && <RemoveButton name={name} onRemove={onRemove} />}
      </div>
      {children({ id, 'aria-invalid': problem !== undefined, 'aria-describedby': described || undefined })}
      {description !== null && (
        <span id={`${id}-hint`} class="hint">
          {description}
        </span>
      )}
      {problem !== undefined && (
        <span id={`${id}-problem`} class="problem">
          {problemText(problem)}
        </span>
      )}
    </div>
  );
}

export function RemoveButton({ name, onRemove }: { name: string; onRemove: () => void }) {
  return (
    <button type="button" class="icon-button small-icon push" aria-label={t().form.remove(plain(name))} title={t().form.remove(plain(name))} onClick={onRemove}>
      <Icon name="close" />
    </button>
  );
}

function problemText(problem: ProblemKind): string {
  const { form } = t();
  if (typeof problem === 'string') return form.problems[problem];
  if ('minimum' in problem) return form.atLeast(problem.minimum);
  if ('above' in problem) return form.above(problem.above);
  if ('maximum' in problem) return form.atMost(problem.maximum);
  if ('below' in problem) return form.below(problem.below);
  if ('shortest' in problem) return form.shortest(problem.shortest);
  if ('longest' in problem) return form.longest(problem.longest);
  return form.pattern(problem.pattern);
}
