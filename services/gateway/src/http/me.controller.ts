import { AppError, meRoutes } from '@kith/contracts';
import { serveRoutes } from './serve-routes.js';

/** Serves a person who they are here, how much is kept of them, and their erasure. */
export const MeController = serveRoutes(meRoutes, ({ database, erasures, eraseLimit }) => ({
  show: async ({ caller: { personId, displayName, scopes } }) => {
    const identities = await database.asPerson(personId, (tx) =>
      tx.identity.findMany({ where: { personId }, select: { door: true, subject: true } }),
    );
    return { personId, displayName, scopes: [...scopes], identities };
  },
  holdings: ({ caller: { personId } }) => erasures.holdings(personId),
  erase: async ({ caller: { personId }, query }) => {
    // Counted before it is looked at, so that a mistake that repeats itself is stopped, too.
    await eraseLimit.take(personId);
    if (query.confirm !== personId) {
      const message = 'confirm with your own person id, as GET /v1/me tells it';
      throw new AppError('invalid_request', message, { field: 'confirm' });
    }
    return erasures.order(personId, 'person');
  },
}));
