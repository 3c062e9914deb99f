import {
  AppError,
  type ForgetRequest,
  healthContract,
  memoryContract,
  memoryRoutes,
  present,
} from '@kith/contracts';
import { Database } from '@kith/database';
import { Messenger } from '@kith/messaging';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { ForgetOrders } from '../forgetting/forget-orders.js';
import { PrivateTalk } from '../forgetting/private-talk.js';
import { RecallRoom } from '../answer/recall-bounds.js';
import { CompanionDirectory } from '../intake/companion-directory.js';
import { requirePerson } from '../people/key-rows.js';
import { Serves, type RouteCall } from './serves.js';

/** Time within which a service that is there says so. */
const PRESENCE_MS = 2_000;
/** Memories that recall finds at most. */
const MAX_FOUND = 100;

/** A person's own memories: what their key may see is theirs alone, so every audience of theirs is shown. */
@Controller()
export class MemoriesController {
  constructor(
    private readonly database: Database,
    private readonly messenger: Messenger,
    private readonly companions: CompanionDirectory,
    private readonly forgetting: ForgetOrders,
    private readonly privateTalk: PrivateTalk,
    private readonly room: RecallRoom,
  ) {}

  @Serves(memoryRoutes.list)
  onList({ caller: { personId }, query }: RouteCall<typeof memoryRoutes.list>) {
    const { companion: companionId, ...page } = query;
    return this.messenger.ask(memoryContract.list, { personId, companionId, audience: 'direct', ...page });
  }

  @Serves(memoryRoutes.search)
  async onSearch({ caller: { personId }, query }: RouteCall<typeof memoryRoutes.search>) {
    const { kind, limit } = query;
    // Recall knows no kinds: those of one kind are picked from all that it can find.
    const mostFound = kind ? MAX_FOUND : limit;
    const companionId = await this.companions.require(query.companion);
    const found = await this.messenger.ask(memoryContract.recall, {
      personId,
      companionId,
      audience: 'direct',
      query: query.q,
      limit: mostFound,
      // `limit` alone bounds a search: a prompt's budget does not.
      maxTokens: 100_000,
      now: new Date().toISOString(),
      countAsUse: false,
      fromArchive: query.archive,
    });
    const { degraded, tookMs } = found;
    const memories = found.memories.filter((memory) => !kind || memory.kind === kind);
    const isFull = found.memories.length === mostFound;
    return { memories: memories.slice(0, limit), isFull, degraded, tookMs };
  }

  /** Recalls as a turn would, but without the mood, and shows each candidate. */
  @Serves(memoryRoutes.why)
  async onWhy({ caller: { personId }, query }: RouteCall<typeof memoryRoutes.why>) {
    const companionId = await this.companions.require(query.companion);
    const room = this.room.now();
    const bounds = { limit: query.limit ?? room.limit, tokens: query.tokens ?? room.tokens };
    const found = await this.messenger.ask(memoryContract.recall, {
      ...{ personId, companionId, audience: query.in, query: query.q, now: new Date().toISOString() },
      ...{ limit: bounds.limit, maxTokens: bounds.tokens, passageTokens: bounds.tokens },
      ...{ countAsUse: false, withCore: true, explain: query.show },
      lore: { texts: [query.q], maxTokens: room.loreTokens },
    });
    const { explained, passages, core, wishes, lore, degraded, tookMs } = found;
    return { ...present(explained), passages, core, wishes, lore, bounds, degraded, tookMs };
  }

  @Serves(memoryRoutes.privacy)
  onPrivacy({ caller: { personId } }: RouteCall<typeof memoryRoutes.privacy>) {
    return this.privateTalk.set(personId, undefined);
  }

  @Serves(memoryRoutes.changePrivacy)
  onChangePrivacy({ caller: { personId }, body }: RouteCall<typeof memoryRoutes.changePrivacy>) {
    return this.privateTalk.set(personId, body.private);
  }

  @Serves(memoryRoutes.core)
  async onCore({ caller: { personId }, query }: RouteCall<typeof memoryRoutes.core>) {
    const companionId = query.companion ?? (await this.companions.require(undefined));
    const core = await this.messenger.ask(memoryContract.core, { personId, companionId, audience: null });
    // A retired companion keeps its core memory. One without any must at least exist.
    if (core.blocks.length === 0) await this.companions.require(companionId);
    return core;
  }

  @Serves(memoryRoutes.describe)
  async onDescription({ caller: { personId }, query }: RouteCall<typeof memoryRoutes.describe>) {
    const companionId = await this.companions.require(query.companion);
    const now = new Date().toISOString();
    return this.messenger.ask(memoryContract.describe, { personId, companionId, audience: 'direct', now });
  }

  @Serves(memoryRoutes.editCore)
  async onEditCore({ caller, params: { label }, body }: RouteCall<typeof memoryRoutes.editCore>) {
    const companionId = await this.companions.require(body.companion);
    return this.messenger.ask(memoryContract.editCore, {
      ...{ personId: caller.personId, companionId, audience: body.audience, label },
      edit: { kind: 'set', text: body.text, basedOn: body.basedOn },
      by: 'person',
    });
  }

  /** Sets the operator's note about a person, which is in each of their prompts alone with the companion. */
  @Serves(memoryRoutes.editOperatorCore)
  async onOperatorCore({ params, body }: RouteCall<typeof memoryRoutes.editOperatorCore>) {
    const personId = params.person;
    await this.database.read({ personId }, (reader) => requirePerson(reader, personId));
    const companionId = await this.companions.require(body.companion);
    return this.messenger.ask(memoryContract.editCore, {
      ...{ personId, companionId, audience: 'direct', label: 'operator' },
      edit: { kind: 'set', text: body.text },
      by: 'operator',
    });
  }

  @Serves(memoryRoutes.change)
  onChange({ caller: { personId }, params: { id }, body: change }: RouteCall<typeof memoryRoutes.change>) {
    return this.messenger.ask(memoryContract.change, { personId, id, change });
  }

  @Serves(memoryRoutes.index)
  onIndex() {
    return this.messenger.ask(memoryContract.index, {});
  }

  @Serves(memoryRoutes.initIndex)
  async onInit() {
    // Making an index may take a while. Whether memory is there at all is known soon.
    await this.messenger
      .ask(healthContract('memory'), {}, { timeoutMs: PRESENCE_MS })
      .catch((cause: unknown) => {
        throw new AppError('unavailable', 'memory does not answer, so the index is as it was', undefined, {
          cause,
        });
      });
    return this.messenger.ask(memoryContract.init, {});
  }

  @Serves(memoryRoutes.reindex)
  async onReindex() {
    await this.messenger.enqueue(memoryContract.reindex, {});
    return this.messenger.ask(memoryContract.index, {});
  }

  @Serves(memoryRoutes.import)
  async onImport({ caller: { personId }, body }: RouteCall<typeof memoryRoutes.import>) {
    const companionId = await this.companions.require(body.companion);
    return this.messenger.ask(memoryContract.import, { personId, companionId, records: body.records });
  }

  @Serves(memoryRoutes.forget)
  async onForget({ caller: { personId }, body }: RouteCall<typeof memoryRoutes.forget>) {
    const forgotten = await this.forgetting.forget({
      personId,
      companionId: body.query ? await this.companions.require(body.companion) : body.companion,
      what: whatToForget(body),
      keepTalk: body.keepTalk,
      preview: body.preview,
    });
    // A retired companion keeps memories. One of which there is nothing must at least exist: its name may be mistyped.
    if (body.companion && forgotten.rows === 0 && forgotten.lines === 0)
      await this.companions.require(body.companion);
    return forgotten;
  }

  /** Undoes a forgetting, within ten minutes. */
  @Serves(memoryRoutes.undoForget)
  onUndo({ caller: { personId }, body }: RouteCall<typeof memoryRoutes.undoForget>) {
    return this.forgetting.undo(personId, body.receipt);
  }
}

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
