import { AppError, type ForgetRequest, memoryRoutes } from '@kith/contracts';
import type { z } from 'zod';
import { listUndoable } from '../forgetting/list-undoable.js';
import { requireKnown } from './require-known.js';
import { serveRoutes } from './serve-routes.js';

const { forget, undoable, undoForget } = memoryRoutes;

/** Forgets what a person names of what they said and what was made of it, and undoes that within ten minutes. */
export const ForgettingController = serveRoutes(
  { forget, undoable, undoForget },
  ({ database, companions, forgetting }) => ({
    forget: async ({ caller: { personId }, body }) => {
      const { companion, query, keepTalk, preview } = body;
      const forgotten = await forgetting.forget({
        personId,
        companionId: companion ?? (query ? await companions.require(undefined) : undefined),
        what: whatToForget(body),
        keepTalk,
        preview,
      });
      if (companion && forgotten.rows === 0 && forgotten.lines === 0)
        await requireKnown({ database, companions }, personId, companion);
      return forgotten;
    },
    undoable: ({ caller: { personId } }) => listUndoable(database, personId),
    undoForget: ({ caller: { personId }, body }) => forgetting.undo(personId, body.receipt),
  }),
);

/** @throws AppError `invalid_request` unless it is exactly one thing, and a period that does not end before it begins */
function whatToForget({ ids, messageIds, period, query, all }: z.output<typeof ForgetRequest>) {
  const [what, ...others] = [
    ...(ids ? [{ kind: 'ids' as const, ids }] : []),
    ...(messageIds ? [{ kind: 'sources' as const, sources: messageIds }] : []),
    ...(period ? [{ kind: 'period' as const, ...period }] : []),
    ...(query ? [{ kind: 'query' as const, query }] : []),
    ...(all ? [{ kind: 'all' as const }] : []),
  ];
  if (!what || others.length > 0) {
    const message = 'give exactly one of ids, messageIds, period, query and all';
    throw new AppError('invalid_request', message, { field: 'ids' });
  }
  if (what.kind === 'period' && Date.parse(what.to) < Date.parse(what.from))
    throw new AppError('invalid_request', 'the period ends before it begins', { field: 'period.to' });
  return what;
}
