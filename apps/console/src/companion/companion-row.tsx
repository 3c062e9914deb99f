import { CharacterFormat, type CompanionView } from '@kith/contracts';
import { useState, type JSX } from 'react';
import { useOpened } from '../page/use-opened.js';
import type { useRoster } from './use-roster.js';

interface CompanionRowProps {
  companion: CompanionView;
  roster: ReturnType<typeof useRoster>;
  mayEdit: boolean;
  onEdit: () => void;
}

/** One companion, and what an operator may do with it. */
export function CompanionRow({ companion, roster, mayEdit, onEdit }: CompanionRowProps): JSX.Element {
  const { id, name, tagline, version, pausedSince, fromFile } = companion;
  const [format, setFormat] = useState<CharacterFormat>('kith');
  const { opened, open, leave, openerOf, onKeyDown } = useOpened<'question'>();
  const isPaused = pausedSince !== undefined;
  return (
    <li className="companion-row" data-paused={isPaused}>
      <div>
        <h3>
          {name} <code>{id}</code> <span className="hint">version {version}</span>
          {isPaused && <strong className="paused"> paused</strong>}
        </h3>
        <p>{tagline}</p>
      </div>
      <div className="companion-actions">
        <button type="button" disabled={roster.isBusy} onClick={() => roster.pause(id, !isPaused)}>
          {isPaused ? 'Resume' : 'Pause'}
        </button>
        <button type="button" disabled={!mayEdit} onClick={onEdit}>
          Edit
        </button>
        <span>
          <select
            aria-label={`Format of ${name}’s file`}
            value={format}
            onChange={(event) => setFormat(event.target.value as CharacterFormat)}
          >
            {CharacterFormat.options.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
          <button type="button" disabled={roster.isBusy} onClick={() => roster.save(id, format)}>
            Save its file
          </button>
        </span>
        {fromFile === true ? (
          <span className="hint">Comes from a file: to remove it, delete that file.</span>
        ) : opened === 'question' ? (
          <span role="group" aria-label={`Retire ${name}?`} onKeyDown={onKeyDown}>
            Out of service?
            <button
              type="button"
              onClick={() => {
                leave();
                roster.retire(id);
              }}
            >
              Yes, retire {name}
            </button>
            <button type="button" className="link" autoFocus onClick={leave}>
              No
            </button>
          </span>
        ) : (
          <button type="button" className="link" ref={openerOf('question')} onClick={() => open('question')}>
            Retire …
          </button>
        )}
      </div>
    </li>
  );
}
