import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

interface ButtonProps {
  /** May return a promise: until it ends, further clicks do nothing. */
  onClick?: () => unknown;
  kind?: 'primary' | 'danger' | 'plain' | 'normal';
  size?: 'small' | 'normal';
  type?: 'button' | 'submit';
  disabled?: boolean;
  /** Shows that what it started goes on. */
  busy?: boolean;
  /** The key that does the same. */
  shortcut?: string;
  title?: string;
  /** For those who can't see that the text belongs to something. */
  label?: string;
  children: ComponentChildren;
}

export function Button({ onClick, kind = 'normal', size = 'normal', type = 'button', disabled = false, busy = false, shortcut, title, label, children }: ButtonProps) {
  const running = useSignal(false);
  const click = async (): Promise<void> => {
    if (running.peek() || busy) return;
    const result = onClick?.();
    if (!(result instanceof Promise)) return;
    running.value = true;
    try {
      await result;
    } finally {
      running.value = false;
    }
  };
  return (
    <button
      type={type}
      class="button"
      data-kind={kind}
      data-size={size}
      disabled={disabled}
      aria-busy={busy || running.value}
      aria-keyshortcuts={shortcut}
      aria-label={label}
      title={title}
      onClick={type === 'submit' && !onClick ? undefined : () => void click()}
    >
      {children}
      {shortcut && <kbd aria-hidden="true">{shortcut}</kbd>}
    </button>
  );
}
