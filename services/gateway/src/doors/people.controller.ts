import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Query, Req } from '@nestjs/common';
import {
  AppError,
  discordContract,
  KeyRequest,
  type ErasureList,
  type ErasureView,
  type KeyCreated,
  type KeyList,
  type MeView,
  type MyKeyList,
  type PersonHoldings,
  type PersonList,
} from '@kith/contracts';
import { Database } from '@kith/database';
import { Messenger } from '@kith/messaging';
import { z } from 'zod';
import { Erasures } from '../erasure/erasures.service.js';
import { ApiKeys, type Caller } from '../people/api-keys.js';
import { Needs, TheCaller, type WithCaller } from './api-key.guard.js';
import { Page } from './page.js';
import { Parse } from './parse-input.js';
import { ERASE_LIMIT, RateLimit } from './rate-limit.js';

/** The caller's own person id: nobody erases themselves by a slip. */
const Confirmation = z.strictObject({ confirm: z.uuid() });

const Keys = Page.extend({ person: z.uuid().optional() });

@Controller('v1')
export class PeopleController {
  constructor(
    private readonly database: Database,
    private readonly keys: ApiKeys,
    private readonly messenger: Messenger,
    private readonly erasures: Erasures,
    @Inject(ERASE_LIMIT) private readonly eraseLimit: RateLimit,
  ) {}

  @Get('me')
  @Needs('any-key')
  async onMe(@TheCaller() caller: Caller): Promise<z.output<typeof MeView>> {
    const identities = await this.database.asPerson(caller.personId, (tx) =>
      tx.identity.findMany({ where: { personId: caller.personId }, select: { door: true, subject: true } }),
    );
    return {
      personId: caller.personId,
      displayName: caller.displayName,
      scopes: [...caller.scopes],
      identities,
    };
  }

  @Get('me/keys')
  @Needs('memories')
  onMyKeys(@TheCaller() caller: Caller): Promise<MyKeyList> {
    return this.keys.ofCaller(caller, new Date());
  }

  @Delete('me/keys/:id')
  @HttpCode(204)
  @Needs('memories')
  onEndMyKey(
    @TheCaller() { personId }: Caller,
    @Param('id', new Parse(z.uuid(), 'id')) keyId: string,
  ): Promise<void> {
    return this.keys.revoke(keyId, new Date(), personId);
  }

  @Get('me/holdings')
  @Needs('memories')
  onMyHoldings(@TheCaller() { personId }: Caller): Promise<PersonHoldings> {
    return this.erasures.look(personId);
  }

  @Delete('me')
  @Needs('memories')
  async onEraseMe(
    @TheCaller() { personId }: Caller,
    @Query(new Parse(Confirmation)) { confirm }: z.output<typeof Confirmation>,
  ): Promise<ErasureView> {
    // Counted before it is looked at, as an operator's are: a slip that repeats itself is stopped, too.
    await this.eraseLimit.take(personId);
    if (confirm !== personId) {
      throw new AppError('invalid_request', 'confirm with your own person id, as GET /v1/me tells it', {
        field: 'confirm',
      });
    }
    return this.erasures.order(personId, 'person');
  }

  @Get('people/:id/holdings')
  @Needs('admin')
  onHoldings(@Param('id', new Parse(z.uuid(), 'id')) personId: string): Promise<PersonHoldings> {
    return this.erasures.look(personId);
  }

  @Delete('people/:id')
  @Needs('admin')
  async onErase(
    @TheCaller() { keyId }: Caller,
    @Param('id', new Parse(z.uuid(), 'id')) personId: string,
  ): Promise<ErasureView> {
    await this.eraseLimit.take(keyId);
    return this.erasures.order(personId, 'operator');
  }

  @Get('erasures')
  @Needs('admin')
  onErasures(
    @Query(new Parse(Page)) { limit, cursor }: z.output<typeof Page>,
  ): Promise<z.output<typeof ErasureList>> {
    return this.erasures.list(limit, cursor);
  }

  @Get('erasures/:id')
  @Needs('admin')
  onErasure(@Param('id', new Parse(z.uuid(), 'id')) personId: string): Promise<ErasureView> {
    return this.erasures.view(personId);
  }

  @Get('people')
  @Needs('admin')
  async onPeople(
    @Query(new Parse(Page)) { limit, cursor }: z.output<typeof Page>,
  ): Promise<z.output<typeof PersonList>> {
    const rows = await this.database.asSystem((tx) =>
      tx.person.findMany({
        include: { identities: { select: { door: true, subject: true } } },
        orderBy: { id: 'asc' },
        take: limit + 1,
        ...(cursor ? { cursor: { id: cursor }, skip: 1 } : {}),
      }),
    );
    const page = rows.slice(0, limit);
    return {
      people: page.map((row) => ({
        personId: row.id,
        displayName: row.displayName,
        createdAt: row.createdAt.toISOString(),
        identities: row.identities,
      })),
      nextCursor: rows.length > limit ? page.at(-1)!.id : null,
    };
  }

  @Post('keys')
  @Needs('admin')
  async onKey(
    @TheCaller() { personId: operatorId }: Caller,
    @Req() request: WithCaller,
    @Body(new Parse(KeyRequest)) body: z.output<typeof KeyRequest>,
  ): Promise<z.output<typeof KeyCreated>> {
    const { personId, person, scopes, reason } = body;
    if ((personId === undefined) === (person === undefined)) {
      throw new AppError('invalid_request', 'give either personId or person, a name for a new person', {
        field: 'person',
      });
    }
    const isAnothers = personId !== undefined && personId !== operatorId;
    if (isAnothers && reason === undefined) {
      throw new AppError(
        'invalid_request',
        'a key that acts as somebody else needs a reason; they are told',
        {
          field: 'reason',
        },
      );
    }
    const created = await this.keys.create({
      owner: personId === undefined ? { newPerson: person! } : { personId },
      name: body.name,
      scopes,
      expiresAt: body.expiresAt ? new Date(body.expiresAt) : null,
      ...(isAnothers && { made: { by: operatorId, reason: reason! } }),
    });
    request.subjects = { key: created.id, person: created.personId };
    // Nobody has the key before its person's notice is on its way: without one, the answer is an error.
    if (isAnothers) await this.messenger.enqueue(discordContract.tellOfKey, { keyId: created.id });
    return { ...created, scopes };
  }

  @Get('keys')
  @Needs('admin')
  onKeys(@Query(new Parse(Keys)) query: z.output<typeof Keys>): Promise<z.output<typeof KeyList>> {
    return this.keys.list(query);
  }

  @Delete('keys/:id')
  @HttpCode(204)
  @Needs('admin')
  onRevoke(@Param('id', new Parse(z.uuid(), 'id')) keyId: string): Promise<void> {
    return this.keys.revoke(keyId, new Date());
  }
}
