import './setting-field.css';
import type { AgentSettingView } from '../../contracts/api/agents.ts';
import { t } from '../i18n/index.ts';
import { duration, number, usd } from '../text/numbers.ts';
import { FormField } from './form-field.tsx';

type Tuning = NonNullable<AgentSettingView['tuning']>;

interface SettingFieldProps {
  field: string;
  tuning: Tuning;
  value: string;
  /** Why the gateway refused it; null: it did not. */
  problem?: string | null;
  onInput: (value: string) => void;
  note?: string | null;
  disabled?: boolean;
}

/** A limit or parameter with its unit, its range, and what more or less of it does. */
export function SettingField({ field, tuning, value, problem = null, note = null, disabled = false, onInput }: SettingFieldProps) {
  const outside = value.trim() === '' ? null : problemOf(value, tuning);
  const { raise, lower } = settingTexts(field, tuning);
  return (
    <FormField
      label={
        <>
          {settingName(field)} <span class="muted small mono">{field}</span>
        </>
      }
      hint={
        <>
          {t().settings.range(showValue(field, tuning.min), showValue(field, tuning.max))} {readable(field, value)} ↑ {raise} ↓ {lower} {note}
        </>
      }
      problem={outside ?? problem}
    >
      {(props) => (
        <div class="row">
          <input
            {...props}
            class="input setting-input"
            type="number"
            disabled={disabled}
            inputMode="decimal"
            min={tuning.min}
            max={tuning.max}
            step={tuning.integer ? 1 : 'any'}
            value={value}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
          <span class="muted small">{unitOf(field, tuning)}</span>
        </div>
      )}
    </FormField>
  );
}

/** What is wrong with a value before it is sent; null: nothing. */
export function problemOf(value: string, tuning: Pick<Tuning, 'min' | 'max' | 'integer'>): string | null {
  const texts = t().settings;
  const parsed = Number(value);
  if (value.trim() === '' || Number.isNaN(parsed)) return texts.notANumber;
  if (tuning.integer && !Number.isInteger(parsed)) return texts.notWhole;
  if (parsed < tuning.min || parsed > tuning.max) return texts.outside(number(tuning.min, 2), number(tuning.max, 2));
  return null;
}

export function settingName(field: string): string {
  return t().settings.names[field] ?? field;
}

function unitOf(field: string, tuning: Tuning): string {
  return t().settings.units[field] ?? (tuning.unit === 'none' ? '' : tuning.unit);
}

function settingTexts(field: string, { raise, lower }: Tuning): { raise: string; lower: string } {
  return t().settings.effects[field] ?? { raise, lower };
}

/** A value of a limit with its unit: ms as a duration, micro-USD as dollars. */
export function showValue(field: string, value: number | boolean | null): string {
  if (value === null) return t().words.none;
  if (typeof value === 'boolean') return value ? t().words.yes : t().words.no;
  if (field.endsWith('Ms')) return duration(value);
  if (field.endsWith('Micros')) return usd(value);
  return number(value, 2);
}

/** `30000` ms said as `30 s` beside the input. */
function readable(field: string, value: string): string {
  const parsed = Number(value);
  return value.trim() !== '' && Number.isFinite(parsed) && /(Ms|Micros)$/.test(field) ? `(= ${showValue(field, parsed)})` : '';
}
