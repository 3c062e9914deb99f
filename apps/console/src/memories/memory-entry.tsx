import type { MemoryChange, MemoryView, RecalledMemory } from '@kith/contracts';
import { Button, LinkButton } from '../page/button.js';
import { useHold } from '../page/use-hold.js';
import { useOpened } from '../page/use-opened.js';
import { describeOrigin } from '../recall/describe-memory.js';
import { ScoreParts } from '../recall/score-parts.js';
import { CorrectionForm } from './correction-form.js';
import { describeUse } from './describe-use.js';

interface MemoryEntryProps {
  memory: MemoryView | RecalledMemory;
  /** Answers false when it could not be done. */
  onChange: (change: MemoryChange) => Promise<boolean>;
  onForget: () => Promise<boolean>;
}

/** One memory, with what its owner may do about it. */
export function MemoryEntry({ memory, onChange, onForget }: MemoryEntryProps) {
  const { opened, open, leave, openerOf, onKeyDown } = useOpened<'correction' | 'question'>();
  const { isBusy, hold } = useHold();
  const save = (text: string): void => {
    // A correction that could not be kept stays in its box.
    void hold(() => onChange({ text })).then((isDone) => isDone && leave());
  };
  return (
    <li className="memory" data-shelf={memory.shelf} data-pinned={memory.pinned}>
      {opened === 'correction' ? (
        <CorrectionForm
          label="What it should say"
          text={memory.text}
          maxLength={2_000}
          isBusy={isBusy}
          onKeyDown={onKeyDown}
          onSave={save}
          onLeave={leave}
        />
      ) : (
        <p className="memory-text">{memory.text}</p>
      )}
      <p className="memory-origin">
        {memory.pinned ? 'pinned · ' : ''}
        {describeOrigin(memory)} · {describeUse(memory)}
      </p>
      {'why' in memory && <ScoreParts why={memory.why} label="Why it was found" />}
      {opened === 'question' ? (
        <p key="question" className="entry-acts" role="alert" onKeyDown={onKeyDown}>
          Forget this, and the talk it came from?
          <Button aria-disabled={isBusy} onClick={() => void hold(onForget)}>
            Forget
          </Button>
          <LinkButton autoFocus onClick={leave}>
            Keep
          </LinkButton>
        </p>
      ) : (
        <p key="acts" className="entry-acts">
          {memory.shelf !== 'open' && (
            <LinkButton onClick={() => void onChange({ shelf: 'open' })}>Keep it among the others</LinkButton>
          )}
          <LinkButton onClick={() => void onChange({ pinned: !memory.pinned })}>
            {memory.pinned ? 'Unpin' : 'Pin'}
          </LinkButton>
          <LinkButton ref={openerOf('correction')} onClick={() => open('correction')}>
            Correct
          </LinkButton>
          <LinkButton ref={openerOf('question')} onClick={() => open('question')}>
            Forget
          </LinkButton>
        </p>
      )}
    </li>
  );
}
