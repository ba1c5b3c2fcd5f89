import { t } from '../i18n/index.ts';
import { helpOpen, shortcuts } from '../state/shortcuts.ts';
import { Dialog } from './dialog.tsx';

export function ShortcutsHelp() {
  if (!helpOpen.value) return null;
  return (
    <Dialog title={t().shell.shortcuts} onClose={() => (helpOpen.value = false)}>
      <dl class="facts">
        {shortcuts.value.flat().map((shortcut) => (
          <>
            <dt>
              {shortcut.key.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{shortcut.label()}</dd>
          </>
        ))}
      </dl>
    </Dialog>
  );
}
