import { AppError, meRoutes, peopleRoutes } from '@kith/contracts';
import { Database, pageOf } from '@kith/database';
import { Controller, Inject } from '@nestjs/common';
import { ERASE_LIMIT, RateLimit } from '../entrance/rate-limit.js';
import { Erasures } from '../erasure/erasures.js';
import { countedAs } from '../people/caller.js';
import { Serves, type RouteCall } from './serves.js';

/** Serves who is known here, how much is kept of them, and their erasure. */
@Controller()
export class PeopleController {
  constructor(
    private readonly database: Database,
    private readonly erasures: Erasures,
    @Inject(ERASE_LIMIT) private readonly eraseLimit: RateLimit,
  ) {}

  @Serves(meRoutes.show)
  async onMe({ caller }: RouteCall<typeof meRoutes.show>) {
    const { personId, displayName, scopes } = caller;
    const identities = await this.database.asPerson(personId, (tx) =>
      tx.identity.findMany({ where: { personId }, select: { door: true, subject: true } }),
    );
    return { personId, displayName, scopes: [...scopes], identities };
  }

  @Serves(meRoutes.holdings)
  onMyHoldings({ caller: { personId } }: RouteCall<typeof meRoutes.holdings>) {
    return this.erasures.holdings(personId);
  }

  @Serves(meRoutes.erase)
  async onEraseMe({ caller: { personId }, query }: RouteCall<typeof meRoutes.erase>) {
    // Counted before it is looked at, so that a mistake that repeats itself is stopped, too.
    await this.eraseLimit.take(personId);
    if (query.confirm !== personId) {
      const message = 'confirm with your own person id, as GET /v1/me tells it';
      throw new AppError('invalid_request', message, { field: 'confirm' });
    }
    return this.erasures.order(personId, 'person');
  }

  @Serves(peopleRoutes.holdings)
  onHoldings({ params }: RouteCall<typeof peopleRoutes.holdings>) {
    return this.erasures.holdings(params.id);
  }

  @Serves(peopleRoutes.erase)
  async onErase({ caller, params }: RouteCall<typeof peopleRoutes.erase>) {
    await this.eraseLimit.take(countedAs(caller));
    return this.erasures.order(params.id, 'operator');
  }

  @Serves(peopleRoutes.erasures)
  onErasures({ query: { limit, cursor } }: RouteCall<typeof peopleRoutes.erasures>) {
    return this.erasures.list(limit, cursor);
  }

  @Serves(peopleRoutes.erasure)
  onErasure({ params }: RouteCall<typeof peopleRoutes.erasure>) {
    return this.erasures.view(params.id);
  }

  @Serves(peopleRoutes.list)
  async onPeople({ query: { limit, cursor } }: RouteCall<typeof peopleRoutes.list>) {
    const rows = await this.database.asSystem((tx) =>
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
      people: page.map((row) => ({
        personId: row.id,
        displayName: row.displayName,
        createdAt: row.createdAt.toISOString(),
        identities: row.identities,
      })),
      nextCursor,
    };
  }
}
