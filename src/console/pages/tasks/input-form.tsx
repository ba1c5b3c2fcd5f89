import type { Problems } from '../../components/schema-form/check.ts';
import { SchemaForm } from '../../components/schema-form/schema-form.tsx';
import { isObject, type Schema, shapeOf } from '../../components/schema-form/schema.ts';
import { FormField } from '../../components/form-field.tsx';
import { t } from '../../i18n/index.ts';

interface InputFormProps {
  schema: Schema;
  value: unknown;
  problems: Problems;
  onChange: (value: unknown) => void;
}

/** The input of a task. Where an agent needs one text and nothing else, that is all one sees at first. */
export function InputForm({ schema, value, problems, onChange }: InputFormProps) {
  const text = onlyText(schema, value);
  const form = <SchemaForm schema={schema} value={value} onChange={onChange} problems={problems} name={t().tasks.inputLabel} />;
  if (text === null || !isObject(value)) return form;
  const current = value[text];
  return (
    <>
      <FormField label={text === 'message' ? t().tasks.messageLabel : text}>
        {(field) => (
          <textarea
            {...field}
            // A required text begins empty: that is no mistake yet.
            aria-invalid={false}
            class="input start-text"
            dir="auto"
            value={typeof current === 'string' ? current : ''}
            onInput={(event) => onChange({ ...value, [text]: event.currentTarget.value })}
          />
        )}
      </FormField>
      <details>
        <summary class="muted small">{t().tasks.allFields}</summary>
        {form}
      </details>
    </>
  );
}

/** The one field that must be given, where it is a text. */
function onlyText(schema: Schema, value: unknown): string | null {
  const shape = shapeOf(schema, schema, value);
  if (shape.kind !== 'object') return null;
  const required = shape.fields.filter((field) => field.required && !('default' in field.schema));
  const [first] = required;
  return required.length === 1 && first && shapeOf(first.schema, schema, '').kind === 'text' ? first.name : null;
}
