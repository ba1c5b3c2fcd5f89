import { useSignal } from '@preact/signals';
import type { RuleView } from '../../../contracts/api/learning.ts';
import { Button } from '../../components/button.tsx';
import { t } from '../../i18n/index.ts';
import { EditDialog } from './edit-dialog.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { isAuthor, judges, type MoveName, movesOf, type Trial } from './moves.ts';
import { TryDialog } from './try-dialog.tsx';

interface RuleActionsProps {
  rule: RuleView;
  trial: Trial;
  onChanged: () => void;
}

/** The steps that this person may take with it. */
export function RuleActions({ rule, trial, onChanged }: RuleActionsProps) {
  const texts = t().learning;
  const dialog = useSignal<MoveName | null>(null);
  const moves = movesOf(rule, trial);
  if (moves.length === 0) return null;
  const own = isAuthor(rule);
  const close = (): void => {
    dialog.value = null;
  };
  const { value: open } = dialog;
  return (
    <>
      <div class="row">
        {moves.map((move, index) => (
          <Button
            key={move}
            kind={move === 'reject' || move === 'rollback' || move === 'force' ? 'normal' : index === 0 ? 'primary' : 'normal'}
            disabled={own && judges(move)}
            title={own && judges(move) ? texts.author : undefined}
            onClick={() => (dialog.value = move)}
          >
            {texts.moves[move]}
          </Button>
        ))}
      </div>
      {own && moves.some(judges) && <p class="muted small">{texts.author}</p>}
      {open === 'edit' && <EditDialog rule={rule} onClose={close} onEdited={onChanged} />}
      {open === 'try' && <TryDialog rule={rule} onClose={close} onStarted={onChanged} />}
      {open !== null && open !== 'edit' && open !== 'try' && <MoveDialog rule={rule} step={open} experimentId={trial.experimentId} onClose={close} onMoved={onChanged} />}
    </>
  );
}
