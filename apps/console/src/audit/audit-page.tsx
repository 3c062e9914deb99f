import { auditRoutes, type OperatorActionList, type RouteClient } from '@kith/contracts';
import { useCallback, useMemo, useState } from 'react';
import type { z } from 'zod';
import type { ReadList } from '../api/read-list.js';
import { useReadList } from '../api/use-read-list.js';
import { Button } from '../page/button.js';
import { PastTime } from '../page/past-time.js';
import { Problem } from '../page/problem.js';
import { useDebounced } from '../page/use-debounced.js';
import './audit.css';

type Action = z.infer<typeof OperatorActionList>['actions'][number];

/** Pause in typing after which a search begins. */
const TYPED_MS = 300;
const WHOLE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Lists what operators did and looked at, the newest first: ids, and nobody's words. */
export function AuditPage({ api, now }: { api: RouteClient; now: Date }) {
  const [typed, setTyped] = useState({ action: '', person: '' });
  const isPerson = typed.person.trim() === '' || WHOLE_ID.test(typed.person.trim());
  const wanted = useDebounced(typed, TYPED_MS, isPerson);
  const [action, person] = [wanted.action.trim(), wanted.person.trim()];
  const { actions, hasMore, problem, more, retry } = useAudit(api, action, person);
  const isFiltered = action !== '' || person !== '';
  return (
    <main className="page audit-page" aria-label="What operators did">
      <header className="page-head">
        <h2>What operators did</h2>
        <p className="hint">
          Each thing that only operators may do, and each look at what is somebody else’s. Nobody can change
          it.
        </p>
        <div className="audit-filters" role="search">
          <input
            type="search"
            aria-label="What was done"
            placeholder="What was done, such as keys"
            value={typed.action}
            maxLength={100}
            onChange={(event) => setTyped({ ...typed, action: event.target.value })}
          />
          <input
            type="search"
            aria-label="Person"
            aria-invalid={!isPerson}
            placeholder="Id of a person: who, or whom"
            value={typed.person}
            maxLength={60}
            onChange={(event) => setTyped({ ...typed, person: event.target.value })}
          />
        </div>
        {!isPerson && <p className="hint">That is not a whole id; kith people list shows them.</p>}
      </header>
      <Problem words={problem} isLooking={actions === null} onRetry={retry} />
      {actions?.length === 0 && (
        <p role="status">{isFiltered ? 'Nothing like that.' : 'No operator has done anything yet.'}</p>
      )}
      {actions !== null && actions.length > 0 && (
        <table className="audit">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">What</th>
              <th scope="col">By the key</th>
              <th scope="col">Outcome</th>
            </tr>
          </thead>
          <tbody>
            {actions.map(({ id, at, action, subjects, keyName, operatorId, outcome }) => (
              <tr key={id} data-outcome={outcome === 'ok' ? 'ok' : 'refused'}>
                <td>
                  <PastTime at={at} now={now} />
                </td>
                <td>
                  <code>{action}</code>
                  {Object.entries(subjects).map(([name, subject]) => (
                    <span key={name} className="audit-subject">
                      {name} <code>{subject}</code>
                    </span>
                  ))}
                </td>
                <td>
                  {keyName}
                  <span className="audit-subject" title={operatorId}>
                    of <code>{operatorId.slice(0, 8)}</code>
                  </span>
                </td>
                <td>{outcome === 'ok' ? 'done' : outcome.replaceAll('_', ' ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {hasMore && <Button onClick={more}>Earlier ones</Button>}
    </main>
  );
}

/** Reads what operators did and looked at, by what was done and by a person's id; empty reads all. */
function useAudit(api: RouteClient, action: string, person: string) {
  // Leaves empty fields out: the API would search for them.
  const filter = useMemo(
    () => ({ action: action || undefined, person: person || undefined }),
    [action, person],
  );
  const readPage = useCallback(
    async (limit: number, cursor?: string): Promise<ReadList<Action>> => {
      const page = await api.call(auditRoutes.list, { query: { ...filter, limit, cursor } });
      return { items: page.actions, total: null, cursor: page.nextCursor };
    },
    [api, filter],
  );
  const { read, problem, more, retry } = useReadList(filter, readPage);
  return { actions: read?.list.items ?? null, hasMore: read?.list.cursor != null, problem, more, retry };
}
