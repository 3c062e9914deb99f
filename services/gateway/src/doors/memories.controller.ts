import { Body, Controller, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import {
  AppError,
  CompanionId,
  CoreLabel,
  CoreRequest,
  ForgetRequest,
  ImportRequest,
  MemoryChange,
  MemoryId,
  MemoryKind,
  MemorySearchQuery,
  MemoryShelf,
  PersonId,
  PrivacyRequest,
  UndoRequest,
  healthContract,
  memoryContract,
  type CoreBlock,
  type CoreMemory,
  type ForgetResult,
  type ImportResult,
  type IndexState,
  type MemoryList,
  type MemorySearchResult,
  type MemoryView,
  type PersonDescription,
  type Privacy,
  type UndoResult,
} from '@kith/contracts';
import { Database } from '@kith/database';
import { Messenger } from '@kith/messaging';
import { z } from 'zod';
import { Forgetting } from '../forgetting/forgetting.service.js';
import { PrivateTalk } from '../forgetting/private-talk.js';
import type { Caller } from '../people/api-keys.js';
import { Needs, TheCaller } from './api-key.guard.js';
import { CompanionDirectory } from './companion-directory.js';
import { PAGE_LIMIT } from './page.js';
import { Parse } from './parse-input.js';

/** A service that is there says so within this time. */
const PRESENCE_MS = 2_000;

const CompanionQuery = z.strictObject({ companion: CompanionId.optional() });

const ListQuery = z.strictObject({
  companion: CompanionId.optional(),
  kind: MemoryKind.optional(),
  shelf: MemoryShelf.optional(),
  asKept: z.stringbool().default(false),
  limit: PAGE_LIMIT,
  cursor: z.string().max(200).optional(),
});

/** A person's own memories: what their key may see is theirs alone, so every audience of theirs is shown. */
@Controller('v1/memories')
export class MemoriesController {
  constructor(
    private readonly database: Database,
    private readonly messenger: Messenger,
    private readonly companions: CompanionDirectory,
    private readonly forgetting: Forgetting,
    private readonly privateTalk: PrivateTalk,
  ) {}

  @Get()
  @Needs('memories')
  onList(
    @TheCaller() caller: Caller,
    @Query(new Parse(ListQuery)) query: z.output<typeof ListQuery>,
  ): Promise<z.output<typeof MemoryList>> {
    const { companion, ...page } = query;
    return this.messenger.ask(memoryContract.list, {
      personId: caller.personId,
      companionId: companion,
      audience: 'direct',
      ...page,
    });
  }

  @Get('search')
  @Needs('memories')
  async onSearch(
    @TheCaller() caller: Caller,
    @Query(new Parse(MemorySearchQuery)) query: z.output<typeof MemorySearchQuery>,
  ): Promise<z.output<typeof MemorySearchResult>> {
    const companionId = await this.companions.require(query.companion);
    const found = await this.messenger.ask(memoryContract.recall, {
      personId: caller.personId,
      companionId,
      audience: 'direct',
      query: query.q,
      limit: query.limit,
      // A search shows what there is: the limit bounds it, not a prompt's budget.
      maxTokens: 100_000,
      now: new Date().toISOString(),
      countAsUse: false,
      fromArchive: query.archive,
    });
    const { degraded, tookMs } = found;
    const memories = query.kind ? found.memories.filter(({ kind }) => kind === query.kind) : found.memories;
    return { memories, degraded, tookMs };
  }

  @Get('privacy')
  @Needs('memories')
  onPrivacy(@TheCaller() { personId }: Caller): Promise<Privacy> {
    return this.privateTalk.set(personId, undefined);
  }

  @Put('privacy')
  @Needs('memories')
  onChangePrivacy(
    @TheCaller() { personId }: Caller,
    @Body(new Parse(PrivacyRequest)) body: z.output<typeof PrivacyRequest>,
  ): Promise<Privacy> {
    return this.privateTalk.set(personId, body.private);
  }

  @Get('core')
  @Needs('memories')
  async onCore(
    @TheCaller() { personId }: Caller,
    @Query(new Parse(CompanionQuery)) { companion }: z.output<typeof CompanionQuery>,
  ): Promise<z.output<typeof CoreMemory>> {
    const companionId = await this.companions.require(companion);
    return this.messenger.ask(memoryContract.core, { personId, companionId, audience: 'direct' });
  }

  /** What is known of the caller, as a page. */
  @Get('description')
  @Needs('memories')
  async onDescription(
    @TheCaller() { personId }: Caller,
    @Query(new Parse(CompanionQuery)) { companion }: z.output<typeof CompanionQuery>,
  ): Promise<PersonDescription> {
    const companionId = await this.companions.require(companion);
    const now = new Date().toISOString();
    return this.messenger.ask(memoryContract.describe, { personId, companionId, audience: 'direct', now });
  }

  @Put('core/:label')
  @Needs('memories')
  async onEditCore(
    @TheCaller() { personId }: Caller,
    @Param('label', new Parse(CoreLabel)) label: CoreLabel,
    @Body(new Parse(CoreRequest)) { companion, text }: z.output<typeof CoreRequest>,
  ): Promise<CoreBlock> {
    const companionId = await this.companions.require(companion);
    const where = { personId, companionId, audience: 'direct', label };
    return this.messenger.ask(memoryContract.editCore, {
      ...where,
      edit: { kind: 'set', text },
      by: 'person',
    });
  }

  /** The operator's own word about a person, in every prompt of theirs alone with the companion. */
  @Put('core/operator/:person')
  @Needs('admin')
  async onOperatorCore(
    @Param('person', new Parse(PersonId, 'person')) personId: string,
    @Body(new Parse(CoreRequest)) { companion, text }: z.output<typeof CoreRequest>,
  ): Promise<CoreBlock> {
    const person = await this.database.asPerson(personId, (tx) =>
      tx.person.findUnique({ where: { id: personId } }),
    );
    if (!person) throw new AppError('not_found', `no person ${personId}`);
    const companionId = await this.companions.require(companion);
    const where = { personId, companionId, audience: 'direct', label: 'operator' as const };
    return this.messenger.ask(memoryContract.editCore, {
      ...where,
      edit: { kind: 'set', text },
      by: 'operator',
    });
  }

  @Patch(':id')
  @Needs('memories')
  onChange(
    @TheCaller() { personId }: Caller,
    @Param('id', new Parse(MemoryId, 'id')) id: string,
    @Body(new Parse(MemoryChange)) change: MemoryChange,
  ): Promise<MemoryView> {
    return this.messenger.ask(memoryContract.change, { personId, id, change });
  }

  /** How the vector index stands to the memories, and how far a reindex is. */
  @Get('index')
  @Needs('admin')
  onIndex(): Promise<z.output<typeof IndexState>> {
    return this.messenger.ask(memoryContract.index, {});
  }

  @Post('init')
  @HttpCode(200)
  @Needs('admin')
  async onInit(): Promise<z.output<typeof IndexState>> {
    // Making an index may take a while; whether anybody is there to make it does not.
    await this.messenger
      .ask(healthContract('memory'), {}, { timeoutMs: PRESENCE_MS })
      .catch((cause: unknown) => {
        throw new AppError('unavailable', 'memory does not answer, so the index is as it was', undefined, {
          cause,
        });
      });
    return this.messenger.ask(memoryContract.init, {});
  }

  @Post('reindex')
  @HttpCode(200)
  @Needs('admin')
  async onReindex(): Promise<z.output<typeof IndexState>> {
    await this.messenger.enqueue(memoryContract.reindex, {});
    return this.messenger.ask(memoryContract.index, {});
  }

  @Post('import')
  @HttpCode(200)
  @Needs('import')
  async onImport(
    @TheCaller() caller: Caller,
    @Body(new Parse(ImportRequest)) body: z.output<typeof ImportRequest>,
  ): Promise<ImportResult> {
    const companionId = await this.companions.require(body.companion);
    const { personId } = caller;
    return this.messenger.ask(memoryContract.import, { personId, companionId, records: body.records });
  }

  @Post('forget')
  @HttpCode(200)
  @Needs('memories')
  async onForget(
    @TheCaller() caller: Caller,
    @Body(new Parse(ForgetRequest)) body: z.output<typeof ForgetRequest>,
  ): Promise<ForgetResult> {
    return this.forgetting.forget({
      personId: caller.personId,
      companionId: body.query ? await this.companions.require(body.companion) : body.companion,
      what: whatToForget(body),
      keepTalk: body.keepTalk,
      preview: body.preview,
    });
  }

  /** Takes a forget back, within ten minutes. */
  @Post('forget/undo')
  @HttpCode(200)
  @Needs('memories')
  onUndo(
    @TheCaller() { personId }: Caller,
    @Body(new Parse(UndoRequest)) { receipt }: z.output<typeof UndoRequest>,
  ): Promise<z.output<typeof UndoResult>> {
    return this.forgetting.undo(personId, receipt);
  }
}

function whatToForget({ ids, messageIds, period, query, all }: z.output<typeof ForgetRequest>) {
  const given = [
    ...(ids ? [{ kind: 'ids' as const, ids }] : []),
    ...(messageIds ? [{ kind: 'sources' as const, sources: messageIds }] : []),
    ...(period ? [{ kind: 'period' as const, ...period }] : []),
    ...(query ? [{ kind: 'query' as const, query }] : []),
    ...(all ? [{ kind: 'all' as const }] : []),
  ];
  if (given.length !== 1) {
    throw new AppError('invalid_request', 'give exactly one of ids, messageIds, period, query and all', {
      field: 'ids',
    });
  }
  return given[0]!;
}
