/** Short news at the edge of the page. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { t } from '../i18n/index.ts';
import { Icon } from './icons.tsx';

interface Toast {
  id: number;
  tone: 'good' | 'warn' | 'bad';
  content: ComponentChildren;
}

const toasts = signal<readonly Toast[]>([]);
const SHOWN_MS = 6_000;
let last = 0;

/** Good news goes by itself; bad news stays until it is closed. */
export function toast(tone: Toast['tone'], content: ComponentChildren): void {
  const id = ++last;
  toasts.value = [...toasts.peek().slice(-3), { id, tone, content }];
  if (tone === 'good') setTimeout(() => close(id), SHOWN_MS);
}

function close(id: number): void {
  toasts.value = toasts.peek().filter((toast) => toast.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, tone, content }) => (
        <div key={id} class="notice" data-tone={tone}>
          <Icon name={tone === 'good' ? 'check' : 'warning'} />
          <div class="grow">{content}</div>
          <button type="button" class="icon-button" aria-label={t().words.close} onClick={() => close(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
