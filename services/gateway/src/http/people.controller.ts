import { peopleRoutes, PersonView, timesAsText } from '@kith/contracts';
import { pageOf } from '@kith/database';
import { countedAs } from '../people/caller.js';
import { serveRoutes } from './serve-routes.js';

/** Serves operators who is known here, how much is kept of them, and their erasure. */
export const PeopleController = serveRoutes(peopleRoutes, ({ database, erasures, eraseLimit }) => ({
  holdings: ({ params: { id } }) => erasures.holdings(id),
  erase: async ({ caller, params: { id } }) => {
    await eraseLimit.take(countedAs(caller));
    return erasures.order(id, 'operator');
  },
  erasures: ({ query: { limit, cursor } }) => erasures.list(limit, cursor),
  erasure: ({ params: { id } }) => erasures.view(id),
  list: async ({ query: { limit, cursor } }) => {
    const rows = await database.asSystem((tx) =>
      tx.person.findMany({
        include: { identities: { select: { door: true, subject: true } } },
        // Starts after an id, whether or not its person is still there.
        ...(cursor && { where: { id: { gt: cursor } } }),
        orderBy: { id: 'asc' },
        take: limit + 1,
      }),
    );
    const { page, nextCursor } = pageOf(rows, limit, ({ id }) => id);
    return {
      people: page.map((row) => PersonView.parse({ ...timesAsText(row), personId: row.id })),
      nextCursor,
    };
  },
}));
