import { useSignal } from '@preact/signals';
import type { CutText } from '../../contracts/api/page.ts';
import { get, path } from '../api.ts';
import { t } from '../i18n/index.ts';
import { number } from '../text/numbers.ts';
import { Button } from './button.tsx';
import { Code, Json } from './code.tsx';
import { LONG_CHARS, LongText } from './long-text.tsx';
import { HiddenWarning } from './safe-text.tsx';
import { Failure } from './states.tsx';

/** A text that may be JSON: shown as what it is, with a warning when something in it would not be seen. */
export function TextOrJson({ text, label }: { text: string; label: string }) {
  const isLong = text.length > LONG_CHARS;
  const value = isLong ? null : readObject(text);
  return (
    <>
      <HiddenWarning value={value ?? text} />
      {isLong ? <LongText text={text} label={label} /> : value === null ? <Code text={text} label={label} /> : <Json value={value} label={label} />}
    </>
  );
}

/** A text that may have been cut: the whole of it is fetched when it is asked for. */
export function WholeText({ taskId, text, label }: { taskId: string; text: CutText; label: string }) {
  const whole = useSignal<string | null>(null);
  const error = useSignal<unknown>(null);
  const load = async (): Promise<void> => {
    try {
      whole.value = String(await get<string>(path`/v1/tasks/${taskId}/blobs/${text.hash!}`, { asText: true }));
      error.value = null;
    } catch (problem) {
      error.value = problem;
    }
  };
  return (
    <>
      <TextOrJson text={whole.value ?? text.text} label={label} />
      {text.cut && whole.value === null && (
        <div class="row small muted">
          {t().inbox.resultCut(number(text.characters))}
          {text.hash !== null && (
            <Button size="small" onClick={load}>
              {t().inbox.showWhole}
            </Button>
          )}
        </div>
      )}
      {error.value !== null && <Failure error={error.value} onRetry={load} />}
    </>
  );
}

/** Null when it is no JSON object or list: a bare number or word reads better as it is. */
function readObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
