import type { MemoryChange, MemoryView, RecalledMemory } from '@kith/contracts';
import { useState, type SubmitEvent, type JSX } from 'react';
import { describeAudience, describeMemory } from '../recall/describe-memory.js';
import { ScoreParts } from '../recall/score-parts.js';
import { describeUse } from './describe-use.js';

interface MemoryEntryProps {
  memory: MemoryView | RecalledMemory;
  onChange: (change: MemoryChange) => Promise<void>;
  onForget: () => Promise<void>;
}

/** One memory, with what its owner may do about it. */
export function MemoryEntry({ memory, onChange, onForget }: MemoryEntryProps): JSX.Element {
  const [mode, setMode] = useState<'shown' | 'corrected' | 'forgotten'>('shown');
  const [text, setText] = useState(memory.text);
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    void onChange({ text: text.trim() }).then(() => setMode('shown'));
  };
  return (
    <li className="memory" data-shelf={memory.shelf} data-pinned={memory.pinned}>
      {mode === 'corrected' ? (
        <form className="entry-edit" onSubmit={save}>
          <textarea
            aria-label="What it should say"
            value={text}
            maxLength={2_000}
            onChange={(e) => setText(e.target.value)}
          />
          <button type="submit" disabled={text.trim() === ''}>
            Save
          </button>
          <button type="button" className="link" onClick={() => setMode('shown')}>
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
      {mode === 'forgotten' ? (
        <p className="entry-acts" role="alert">
          Forget this, and the talk it came from?
          <button type="button" onClick={() => void onForget()}>
            Forget
          </button>
          <button type="button" className="link" onClick={() => setMode('shown')}>
            Keep
          </button>
        </p>
      ) : (
        <p className="entry-acts">
          {memory.shelf !== 'open' && (
            <button type="button" className="link" onClick={() => void onChange({ shelf: 'open' })}>
              Keep it among the others
            </button>
          )}
          <button type="button" className="link" onClick={() => void onChange({ pinned: !memory.pinned })}>
            {memory.pinned ? 'Unpin' : 'Pin'}
          </button>
          <button type="button" className="link" onClick={() => setMode('corrected')}>
            Correct
          </button>
          <button type="button" className="link" onClick={() => setMode('forgotten')}>
            Forget
          </button>
        </p>
      )}
    </li>
  );
}
