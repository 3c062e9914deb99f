import { CharacterFormat, type CompanionView } from '@kith/contracts';
import { useState } from 'react';
import { Button, LinkButton } from '../page/button.js';
import { useOpened } from '../page/use-opened.js';
import type { useRoster } from './use-roster.js';

interface CompanionRowProps {
  companion: CompanionView;
  roster: ReturnType<typeof useRoster>;
  mayEdit: boolean;
  onEdit: () => void;
}

/** One companion, and what an operator may do with it. */
export function CompanionRow({ companion, roster, mayEdit, onEdit }: CompanionRowProps) {
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
        <Button disabled={roster.isBusy} onClick={() => roster.pause(id, !isPaused)}>
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
        <Button disabled={!mayEdit} onClick={onEdit}>
          Edit
        </Button>
        <span>
          <select
            className="picker"
            aria-label={`Format of ${name}’s file`}
            value={format}
            onChange={(event) => setFormat(event.target.value as CharacterFormat)}
          >
            {CharacterFormat.options.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
          <Button disabled={roster.isBusy} onClick={() => roster.save(id, format)}>
            Save its file
          </Button>
        </span>
        {fromFile === true ? (
          <span className="hint">Comes from a file: to remove it, delete that file.</span>
        ) : opened === 'question' ? (
          <span role="group" aria-label={`Retire ${name}?`} onKeyDown={onKeyDown}>
            Out of service?
            <Button
              onClick={() => {
                leave();
                roster.retire(id);
              }}
            >
              Yes, retire {name}
            </Button>
            <LinkButton autoFocus onClick={leave}>
              No
            </LinkButton>
          </span>
        ) : (
          <LinkButton ref={openerOf('question')} onClick={() => open('question')}>
            Retire …
          </LinkButton>
        )}
      </div>
    </li>
  );
}
