import './schema-form.css';
import { HiddenWarning, SafeText } from '../safe-text.tsx';
import { t } from '../../i18n/index.ts';
import { hasHidden, plain } from '../../text/visible.ts';
import type { Problems } from './check.ts';
import { FieldFrame } from './field-frame.tsx';
import { JsonField } from './json-field.tsx';
import { ListField, ObjectField } from './nested-fields.tsx';
import { NumberField } from './number-field.tsx';
import { initialOf, resolve, type Schema, shapeOf } from './schema.ts';

export interface FieldProps {
  schema: Schema;
  /** The whole schema, that references point into. */
  root: Schema;
  value: unknown;
  onChange: (value: unknown) => void;
  /** `/items/0/amount` */
  place: string;
  name: string;
  problems: Problems;
  /** Takes the field out of its object or list; null when it must be there. */
  onRemove: (() => void) | null;
}

/** A form for a value of a JSON Schema. Fields without one it understands are edited as JSON. */
export function SchemaForm({ schema, value, onChange, problems, name }: Pick<FieldProps, 'schema' | 'value' | 'onChange' | 'problems' | 'name'>) {
  return <Field schema={schema} root={schema} value={value} onChange={onChange} place="" name={name} problems={problems} onRemove={null} />;
}

function Field(props: FieldProps) {
  const { root, value, onChange } = props;
  const schema = resolve(props.schema, root);
  const shape = shapeOf(schema, root, value);
  switch (shape.kind) {
    case 'object':
      return <ObjectField {...props} schema={schema} shape={shape} field={Field} />;
    case 'list':
      return <ListField {...props} schema={schema} shape={shape} field={Field} />;
    case 'nullable':
      return value === null ? (
        <FieldFrame {...props} schema={schema}>
          {({ id }) => (
            <button type="button" id={id} class="button" data-size="small" onClick={() => onChange(initialOf(shape.inner, root))}>
              {t().form.noValue}
            </button>
          )}
        </FieldFrame>
      ) : (
        <Field {...props} schema={{ ...shape.inner, description: shape.inner['description'] ?? schema['description'] }} onRemove={() => onChange(null)} />
      );
    case 'choice':
      return (
        <FieldFrame {...props} schema={schema}>
          {(control) => (
            <select {...control} class="input" value={shape.options.indexOf(value)} onChange={(event) => onChange(shape.options[Number(event.currentTarget.value)])}>
              {shape.options.map((option, index) => (
                <option key={index} value={index}>
                  {plain(typeof option === 'string' ? option : JSON.stringify(option))}
                </option>
              ))}
            </select>
          )}
        </FieldFrame>
      );
    case 'boolean':
      return (
        <FieldFrame {...props} schema={schema}>
          {(control) => <input {...control} type="checkbox" checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />}
        </FieldFrame>
      );
    case 'number':
      return <NumberField {...props} schema={schema} />;
    case 'text':
      return <TextField {...props} schema={schema} long={shape.long} />;
    case 'json':
      return <JsonField {...props} schema={schema} />;
  }
}

function TextField({ long, ...props }: FieldProps & { long: boolean }) {
  const text = typeof props.value === 'string' ? props.value : '';
  const change = (event: { currentTarget: { value: string } }): void => props.onChange(event.currentTarget.value);
  return (
    <FieldFrame {...props}>
      {(control) => (
        <>
          {long && (text.length > 60 || text.includes('\n')) ? (
            <textarea {...control} class="input" dir="auto" rows={Math.min(10, 2 + Math.floor(text.length / 80))} value={text} onInput={change} />
          ) : (
            <input {...control} class="input" dir="auto" value={text} onInput={change} />
          )}
          {hasHidden(text) && (
            <>
              <HiddenWarning value={text} />
              <code>
                <SafeText text={text} />
              </code>
            </>
          )}
        </>
      )}
    </FieldFrame>
  );
}
