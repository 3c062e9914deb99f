import type { MemoryChange, MemoryView, RecalledMemory } from '@kith/contracts';
import type { JSX } from 'react';
import { useHold } from '../page/use-hold.js';
import { useOpened } from '../page/use-opened.js';
import { describeAudience, describeMemory } from '../recall/describe-memory.js';
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
export function MemoryEntry({ memory, onChange, onForget }: MemoryEntryProps): JSX.Element {
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
          {...{ isBusy, onKeyDown }}
          onSave={save}
          onLeave={leave}
        />
      ) : (
        <p className="memory-text">{memory.text}</p>
      )}
      <p className="memory-origin">
        {memory.pinned ? 'pinned · ' : ''}
        {describeMemory(memory)} · {describeAudience(memory.audience)} · {describeUse(memory)}
      </p>
      {'why' in memory && <ScoreParts why={memory.why} label="Why it was found" />}
      {opened === 'question' ? (
        <p key="question" className="entry-acts" role="alert" onKeyDown={onKeyDown}>
          Forget this, and the talk it came from?
          <button type="button" aria-disabled={isBusy} onClick={() => void hold(onForget)}>
            Forget
          </button>
          <button type="button" className="link" autoFocus onClick={leave}>
            Keep
          </button>
        </p>
      ) : (
        <p key="acts" className="entry-acts">
          {memory.shelf !== 'open' && (
            <button type="button" className="link" onClick={() => void onChange({ shelf: 'open' })}>
              Keep it among the others
            </button>
          )}
          <button type="button" className="link" onClick={() => void onChange({ pinned: !memory.pinned })}>
            {memory.pinned ? 'Unpin' : 'Pin'}
          </button>
          <button
            type="button"
            className="link"
            ref={openerOf('correction')}
            onClick={() => open('correction')}
          >
            Correct
          </button>
          <button type="button" className="link" ref={openerOf('question')} onClick={() => open('question')}>
            Forget
          </button>
        </p>
      )}
    </li>
  );
}
