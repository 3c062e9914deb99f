import type { MemoryChange, MemoryView, RecalledMemory } from '@kith/contracts';
import { useRef, useState, type SubmitEvent, type JSX } from 'react';
import { useOpened } from '../page/use-opened.js';
import { describeAudience, describeMemory } from '../recall/describe-memory.js';
import { ScoreParts } from '../recall/score-parts.js';
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
  const [text, setText] = useState(memory.text);
  const [isBusy, setBusy] = useState(false);
  const holds = useRef(false);
  const correct = (): void => {
    setText(memory.text);
    open('correction');
  };
  /** Does one thing at a time: a second press does nothing. The button stays enabled, or it would lose the focus. */
  const hold = async (work: () => Promise<boolean>): Promise<boolean> => {
    if (holds.current) return false;
    holds.current = true;
    setBusy(true);
    const isDone = await work();
    holds.current = false;
    setBusy(false);
    return isDone;
  };
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    // A correction that could not be kept stays in its box.
    void hold(() => onChange({ text: text.trim() })).then((isDone) => isDone && leave());
  };
  return (
    <li className="memory" data-shelf={memory.shelf} data-pinned={memory.pinned}>
      {opened === 'correction' ? (
        <form
          className="entry-edit"
          onSubmit={save}
          // Escape does not throw changes away.
          onKeyDown={(event) => text === memory.text && onKeyDown(event)}
        >
          <textarea
            aria-label="What it should say"
            autoFocus
            value={text}
            maxLength={2_000}
            onChange={(e) => setText(e.target.value)}
          />
          <button type="submit" aria-disabled={isBusy} disabled={text.trim() === ''}>
            Save
          </button>
          <button type="button" className="link" onClick={leave}>
            Leave it
          </button>
        </form>
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
          <button type="button" className="link" ref={openerOf('correction')} onClick={correct}>
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
