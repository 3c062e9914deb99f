import { AppError, outboxRoutes, turnRoutes } from '@kith/contracts';
import { Database } from '@kith/database';
import { Controller } from '@nestjs/common';
import { listTurns, traceTurn, type Viewer } from '../conversations/trace-turn.js';
import { OutboxAdmin } from '../delivery/outbox-admin.js';
import type { Caller } from '../people/caller.js';
import { readSteps, viewSteps } from '../steps/read-steps.js';
import { ThoughtCipher } from '../steps/thought-cipher.js';
import { Serves, type RouteCall } from './serves.js';

/** Serves what became of a message, and of the reply to it. */
@Controller()
export class TurnsController {
  constructor(
    private readonly database: Database,
    private readonly outbox: OutboxAdmin,
    private readonly cipher: ThoughtCipher,
  ) {}

  @Serves(turnRoutes.list)
  onTurns({ caller, query }: RouteCall<typeof turnRoutes.list>) {
    const { person = caller.personId } = query;
    if (person !== caller.personId && !viewerOf(caller).isOperator)
      throw new AppError('not_found', `there is no person ${person} of yours`, { field: 'person' });
    return listTurns(this.database, viewerOf(caller), query);
  }

  @Serves(turnRoutes.show)
  onTurn({ caller, params }: RouteCall<typeof turnRoutes.show>) {
    return traceTurn(this.database, viewerOf(caller), params.id);
  }

  @Serves(turnRoutes.thoughts)
  async onThoughts({ params }: RouteCall<typeof turnRoutes.thoughts>) {
    const steps = await readSteps(this.database, 'system', this.cipher, params.id);
    if (steps.length === 0) throw new AppError('not_found', `no thoughts are kept of a turn ${params.id}`);
    return viewSteps(steps);
  }

  @Serves(outboxRoutes.list)
  onOutbox({ query }: RouteCall<typeof outboxRoutes.list>) {
    return this.outbox.list(query);
  }

  @Serves(outboxRoutes.show)
  onDelivery({ params }: RouteCall<typeof outboxRoutes.show>) {
    return this.outbox.show(params.id);
  }

  @Serves(outboxRoutes.retry)
  onRetry({ params }: RouteCall<typeof outboxRoutes.retry>) {
    return this.outbox.retry(params.id);
  }

  @Serves(outboxRoutes.drop)
  onDrop({ params, body: { reason } }: RouteCall<typeof outboxRoutes.drop>) {
    return this.outbox.drop(params.id, reason, new Date());
  }
}

function viewerOf({ personId, scopes }: Caller): Viewer {
  return { personId, isOperator: scopes.includes('admin') };
}
