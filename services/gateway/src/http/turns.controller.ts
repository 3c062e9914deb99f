import { AppError, outboxRoutes, turnRoutes } from '@kith/contracts';
import { listTurns, traceTurn, viewerOf } from '../conversations/trace-turn.js';
import { readSteps, viewSteps } from '../steps/read-steps.js';
import { serveRoutes } from './serve-routes.js';

/** Serves what became of a message. */
export const TurnsController = serveRoutes(turnRoutes, ({ database, cipher }) => ({
  list: ({ caller, query }) => {
    const { person = caller.personId } = query;
    const viewer = viewerOf(caller);
    if (person !== caller.personId && !viewer.isOperator)
      throw new AppError('not_found', `there is no person ${person} of yours`, { field: 'person' });
    return listTurns(database, viewer, query);
  },
  show: ({ caller, params: { id } }) => traceTurn(database, viewerOf(caller), id),
  thoughts: async ({ params: { id } }) => {
    const steps = await readSteps(database, 'system', cipher, id);
    if (steps.length === 0) throw new AppError('not_found', `no thoughts are kept of a turn ${id}`);
    return viewSteps(steps);
  },
}));

/** Serves operators what became of a reply. */
export const OutboxController = serveRoutes(outboxRoutes, ({ outboxAdmin: outbox }) => ({
  list: ({ query }) => outbox.list(query),
  show: ({ params: { id } }) => outbox.show(id),
  retry: ({ params: { id } }) => outbox.retry(id),
  drop: ({ params: { id }, body: { reason } }) => outbox.drop(id, reason, new Date()),
}));
