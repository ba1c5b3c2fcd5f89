import type { ComponentChildren } from 'preact';
import { Icon } from './icons.tsx';

export function Notice({ tone = 'note', children }: { tone?: 'note' | 'warn' | 'bad' | 'good'; children: ComponentChildren }) {
  return (
    <div class="notice" data-tone={tone} role={tone === 'bad' ? 'alert' : 'note'}>
      <Icon name={tone === 'good' ? 'check' : 'warning'} />
      <div class="grow">{children}</div>
    </div>
  );
}
