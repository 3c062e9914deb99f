import type { OutreachChange, OutreachSettings } from '@kith/contracts';
import type { z } from 'zod';
import { LinkButton } from '../page/button.js';

interface PlacesProps {
  settings: OutreachSettings;
  onChange: (change: z.output<typeof OutreachChange>) => void;
}

/** Switches of where it may write first. A channel is allowed from within it, and withdrawn from here too. */
export function Places({ settings, onChange }: PlacesProps) {
  const { optedIn, direct, channel } = settings;
  return (
    <>
      <label className="consent">
        <input
          type="checkbox"
          checked={optedIn}
          onChange={(event) => onChange({ optedIn: event.target.checked })}
        />{' '}
        It may write to me first
      </label>
      {optedIn && (
        <ul className="places" aria-label="Where">
          <li>
            <label className="consent">
              <input
                type="checkbox"
                checked={direct}
                onChange={(event) => onChange({ direct: event.target.checked })}
              />{' '}
              In my direct messages, or here
            </label>
          </li>
          <li>
            {channel === null ? (
              <span className="hint">
                In a channel: say <code>/companion settings outreach: here</code> there. It then writes there
                only about what you said there, or of its own accord.
              </span>
            ) : (
              <>
                In channel <code>{channel.id}</code>
                {channel.problem !== null && <span className="field-problem"> ({channel.problem})</span>}{' '}
                <LinkButton onClick={() => onChange({ channel: null })}>Not there any more</LinkButton>
              </>
            )}
          </li>
        </ul>
      )}
    </>
  );
}
