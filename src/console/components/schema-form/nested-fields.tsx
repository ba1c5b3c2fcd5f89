import type { ComponentType } from 'preact';
import { t } from '../../i18n/index.ts';
import { plain } from '../../text/visible.ts';
import { SafeText } from '../safe-text.tsx';
import { RemoveButton } from './field-frame.tsx';
import { initialOf, isObject, type Shape } from './schema.ts';
import type { FieldProps } from './schema-form.tsx';

type Of<Kind extends Shape['kind']> = FieldProps & {
  shape: Extract<Shape, { kind: Kind }>;
  /** Draws a field inside. */
  field: ComponentType<FieldProps>;
};

export function ObjectField({ shape, root, value, onChange, place, name, problems, onRemove, field: Field }: Of<'object'>) {
  const now = isObject(value) ? value : {};
  const set = (field: string, next: unknown): void => onChange({ ...now, [field]: next });
  const drop = (field: string): void => onChange(Object.fromEntries(Object.entries(now).filter(([key]) => key !== field)));
  const known = new Set(shape.fields.map((field) => field.name));
  const absent = shape.fields.filter((field) => now[field.name] === undefined);
  // What the schema does not name is kept, and shown.
  const others = Object.keys(now).filter((key) => !known.has(key));
  const fields = (
    <>
      {shape.fields
        .filter((field) => now[field.name] !== undefined)
        .map((field) => (
          <Field
            key={field.name}
            schema={field.schema}
            root={root}
            value={now[field.name]}
            onChange={(next) => set(field.name, next)}
            place={`${place}/${field.name}`}
            name={field.name}
            problems={problems}
            onRemove={field.required ? null : () => drop(field.name)}
          />
        ))}
      {others.map((key) => (
        <Field
          key={key}
          schema={{}}
          root={root}
          value={now[key]}
          onChange={(next) => set(key, next)}
          place={`${place}/${key}`}
          name={key}
          problems={problems}
          onRemove={() => drop(key)}
        />
      ))}
      {absent.length > 0 && (
        <div class="row">
          {absent.map((field) => (
            <button key={field.name} type="button" class="button" data-size="small" onClick={() => set(field.name, initialOf(field.schema, root))}>
              {t().form.add(field.name)}
              {problems.has(`${place}/${field.name}`) && ` (${t().form.problems.required})`}
            </button>
          ))}
        </div>
      )}
    </>
  );
  if (place === '') return <div class="schema-fields">{fields}</div>;
  return (
    <fieldset class="schema-group">
      <legend class="row">
        <SafeText text={name} oneLine />
        {onRemove && <RemoveButton name={name} onRemove={onRemove} />}
      </legend>
      <div class="schema-fields">{fields}</div>
    </fieldset>
  );
}

export function ListField({ shape, root, value, onChange, place, name, problems, onRemove, field: Field }: Of<'list'>) {
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  return (
    <fieldset class="schema-group">
      <legend class="row">
        <SafeText text={name} oneLine />
        {onRemove && <RemoveButton name={name} onRemove={onRemove} />}
      </legend>
      <div class="schema-fields">
        {items.map((item, index) => (
          <Field
            // Taking one out moves those after it: their count is part of who they are.
            key={`${items.length}/${index}`}
            schema={shape.items}
            root={root}
            value={item}
            onChange={(next) => onChange(items.with(index, next))}
            place={`${place}/${index}`}
            name={`${plain(name)} ${index + 1}`}
            problems={problems}
            onRemove={() => onChange(items.toSpliced(index, 1))}
          />
        ))}
        <div class="row">
          <button type="button" class="button" data-size="small" onClick={() => onChange([...items, initialOf(shape.items, root)])}>
            {t().form.add(plain(name))}
          </button>
        </div>
      </div>
    </fieldset>
  );
}
