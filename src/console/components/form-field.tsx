import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** What an input inside a field needs to belong to its label, hint and problem. */
export interface FieldProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean;
}

interface FormFieldProps {
  label: ComponentChildren;
  hint?: ComponentChildren;
  /** What is wrong with the value, or null. */
  problem?: string | null;
  children: (props: FieldProps) => ComponentChildren;
}

/** An input with its label, a hint and what is wrong with it. */
export function FormField({ label, hint, problem = null, children }: FormFieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : null, problem ? `${id}-problem` : null].filter((part) => part !== null);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': described.length > 0 ? described.join(' ') : undefined, 'aria-invalid': problem !== null })}
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {problem && (
        <span class="problem" id={`${id}-problem`} role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}
