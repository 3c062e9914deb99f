import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  DropRequest,
  TurnId,
  TurnOutcome,
  type Delivery,
  type DeliveryList,
  type TracedTurn,
  type TurnList,
} from '@kith/contracts';
import { Database } from '@kith/database';
import { z } from 'zod';
import { OutboxDesk } from '../delivery/outbox-desk.js';
import type { Caller } from '../people/api-keys.js';
import { listTurns, traceTurn, type Viewer } from '../turn/trace-turn.js';
import { Needs, TheCaller } from './api-key.guard.js';
import { ShowsOperatorsMore } from './audit.interceptor.js';
import { PAGE_LIMIT } from './page.js';
import { Parse } from './parse-input.js';

const Turns = z.strictObject({
  outcome: TurnOutcome.optional(),
  message: z.string().min(1).max(128).optional(),
  person: z.uuid().optional(),
  limit: PAGE_LIMIT,
});
const Deliveries = z.strictObject({
  status: z.enum(['pending', 'delivered', 'failed', 'dropped']).optional(),
  cursor: z.uuid().optional(),
  limit: PAGE_LIMIT,
});
const OutboxId = z.uuid();

/** What became of a message, and of the reply to it. */
@Controller('v1')
export class TurnsController {
  constructor(
    private readonly database: Database,
    private readonly outbox: OutboxDesk,
  ) {}

  @ShowsOperatorsMore()
  @Get('turns')
  @Needs('chat')
  onTurns(
    @TheCaller() caller: Caller,
    @Query(new Parse(Turns)) query: z.output<typeof Turns>,
  ): Promise<z.output<typeof TurnList>> {
    return listTurns(this.database, viewerOf(caller), query);
  }

  @ShowsOperatorsMore()
  @Get('turns/:id')
  @Needs('chat')
  onTurn(
    @TheCaller() caller: Caller,
    @Param('id', new Parse(TurnId, 'id')) turnId: string,
  ): Promise<TracedTurn> {
    return traceTurn(this.database, viewerOf(caller), turnId);
  }

  @Get('outbox')
  @Needs('admin')
  onOutbox(
    @Query(new Parse(Deliveries)) query: z.output<typeof Deliveries>,
  ): Promise<z.output<typeof DeliveryList>> {
    return this.outbox.list(query);
  }

  @Get('outbox/:id')
  @Needs('admin')
  onDelivery(@Param('id', new Parse(OutboxId, 'id')) outboxId: string): Promise<Delivery> {
    return this.outbox.show(outboxId);
  }

  @Post('outbox/:id/retry')
  @HttpCode(200)
  @Needs('admin')
  onRetry(@Param('id', new Parse(OutboxId, 'id')) outboxId: string): Promise<Delivery> {
    return this.outbox.retry(outboxId);
  }

  @Post('outbox/:id/drop')
  @HttpCode(200)
  @Needs('admin')
  onDrop(
    @Param('id', new Parse(OutboxId, 'id')) outboxId: string,
    @Body(new Parse(DropRequest)) { reason }: z.output<typeof DropRequest>,
  ): Promise<Delivery> {
    return this.outbox.drop(outboxId, reason, new Date());
  }
}

function viewerOf({ personId, scopes }: Caller): Viewer {
  return { personId, isOperator: scopes.includes('admin') };
}
