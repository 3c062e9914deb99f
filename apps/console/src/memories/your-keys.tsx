import { keyRoutes, type RouteClient } from '@kith/contracts';
import { useCallback, useState } from 'react';
import { useView } from '../api/use-view.js';
import { Button, LinkButton } from '../page/button.js';
import { dayOf } from '../page/describe-date.js';
import { Problem } from '../page/problem.js';
import { useOpened } from '../page/use-opened.js';

/** Lists the keys that act as the person, read when it is opened; those that an operator made say why. */
export function YourKeys({ api }: { api: RouteClient }) {
  const [isOpen, setIsOpen] = useState(false);
  const read = useCallback(async () => (isOpen ? api.call(keyRoutes.mine) : null), [api, isOpen]);
  const { view, problem, act, retry } = useView(read);
  // `opened` is the key whose end was asked for and is not confirmed yet.
  const { opened, open, leave, openerOf, onKeyDown } = useOpened<string>();
  const end = (id: string): void => {
    leave();
    void act(id, () => api.call(keyRoutes.revokeMine, { params: { id } }));
  };
  return (
    <details className="about-you" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Keys that act as you</summary>
      <Problem words={problem} isLooking={isOpen && view === null} onRetry={retry} />
      <ul className="your-keys">
        {view?.keys.map(
          ({ id, name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt, madeBy, reason, isThisOne }) => {
            const isOver = revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now());
            return (
              <li key={id} data-made-by={madeBy}>
                <p>
                  {name}
                  {isThisOne && ' (this browser)'}
                  {isOver && ' (ended)'}
                  {!isOver && !isThisOne && opened !== id && (
                    <LinkButton ref={openerOf(id)} onClick={() => open(id)}>
                      End it
                    </LinkButton>
                  )}
                </p>
                {opened === id && (
                  <p className="entry-acts" role="alert" onKeyDown={onKeyDown}>
                    End this key?
                    <Button onClick={() => end(id)}>Yes</Button>
                    <LinkButton autoFocus onClick={leave}>
                      No
                    </LinkButton>
                  </p>
                )}
                {madeBy === 'operator' && <p>An operator made it to act as you: “{reason}”</p>}
                <p className="memory-origin">
                  since {dayOf(createdAt)} · may {scopes.join(', ')} ·{' '}
                  {lastUsedAt === null ? 'never used' : `last used ${dayOf(lastUsedAt)}`}
                </p>
              </li>
            );
          },
        )}
      </ul>
    </details>
  );
}
