import { AppError, healthContract, memoryContract, memoryRoutes, present } from '@kith/contracts';
import { requirePerson } from '../people/key-rows.js';
import { requireKnown } from './require-known.js';
import { serveRoutes } from './serve-routes.js';

/** Time within which a service that is there says so. */
const PRESENCE_MS = 2_000;
/** Memories that recall finds at most. */
const MAX_FOUND = 100;

/** Routes that are served here: to forget is a subject of its own. */
const { forget: _forget, undoable: _undoable, undoForget: _undoForget, ...routes } = memoryRoutes;

/** A person's own memories: what their key may see is theirs alone, so every audience of theirs is shown. */
export const MemoriesController = serveRoutes(
  routes,
  ({ database, messenger, companions, privateTalk, recallRoom }) => ({
    list: async ({ caller: { personId }, query: { companion: companionId, ...page } }) => {
      const whose = { personId, companionId, audience: 'direct' as const };
      const found = await messenger.ask(memoryContract.list, { ...whose, ...page });
      if (found.total === 0 && companionId)
        await requireKnown({ database, companions }, personId, companionId);
      return found;
    },
    search: async ({ caller: { personId }, query }) => {
      const { kind, limit } = query;
      // Recall knows no kinds: those of one kind are picked from all that it can find.
      const mostFound = kind ? MAX_FOUND : limit;
      const companionId = await companions.require(query.companion);
      const found = await messenger.ask(memoryContract.recall, {
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
    },
    /** Recalls as a turn would, but without the mood, and shows each candidate. */
    why: async ({ caller: { personId }, query }) => {
      const companionId = await companions.require(query.companion);
      const room = recallRoom();
      const bounds = { limit: query.limit ?? room.limit, tokens: query.tokens ?? room.tokens };
      const found = await messenger.ask(memoryContract.recall, {
        personId,
        companionId,
        audience: query.in,
        query: query.q,
        now: new Date().toISOString(),
        limit: bounds.limit,
        maxTokens: bounds.tokens,
        passageTokens: bounds.tokens,
        countAsUse: false,
        withCore: true,
        explain: query.show,
        lore: { texts: [query.q], maxTokens: room.loreTokens },
      });
      const { explained, passages, core, wishes, lore, degraded, tookMs } = found;
      return { ...present(explained), passages, core, wishes, lore, bounds, degraded, tookMs };
    },
    privacy: ({ caller: { personId } }) => privateTalk.set(personId, undefined),
    changePrivacy: ({ caller: { personId }, body }) => privateTalk.set(personId, body.private),
    core: async ({ caller: { personId }, query }) => {
      const companionId = query.companion ?? (await companions.require(undefined));
      const core = await messenger.ask(memoryContract.core, { personId, companionId, audience: null });
      if (core.blocks.length === 0) await requireKnown({ database, companions }, personId, companionId);
      return core;
    },
    describe: async ({ caller: { personId }, query }) => {
      const companionId = await companions.require(query.companion);
      const now = new Date().toISOString();
      return messenger.ask(memoryContract.describe, { personId, companionId, audience: 'direct', now });
    },
    editCore: async ({ caller: { personId }, params: { label }, body }) => {
      const { companion, audience, text, basedOn } = body;
      const companionId = await companions.require(companion);
      return messenger.ask(memoryContract.editCore, {
        personId,
        companionId,
        audience,
        label,
        by: 'person',
        edit: { kind: 'set', text, basedOn },
      });
    },
    /** Sets the operator's note about a person, which is in each of their prompts alone with the companion. */
    editOperatorCore: async ({ params: { person: personId }, body: { companion, text } }) => {
      await database.read({ personId }, (reader) => requirePerson(reader, personId));
      const companionId = await companions.require(companion);
      return messenger.ask(memoryContract.editCore, {
        personId,
        companionId,
        audience: 'direct',
        label: 'operator',
        by: 'operator',
        edit: { kind: 'set', text },
      });
    },
    change: ({ caller: { personId }, params: { id }, body: change }) =>
      messenger.ask(memoryContract.change, { personId, id, change }),
    index: () => messenger.ask(memoryContract.index, {}),
    initIndex: async () => {
      // Making an index may take a while. Whether memory is there at all is known soon.
      await messenger
        .ask(healthContract('memory'), {}, { timeoutMs: PRESENCE_MS })
        .catch((cause: unknown) => {
          const message = 'memory does not answer, so the index is as it was';
          throw new AppError('unavailable', message, undefined, { cause });
        });
      return messenger.ask(memoryContract.init, {});
    },
    reindex: async () => {
      await messenger.enqueue(memoryContract.reindex, {});
      return messenger.ask(memoryContract.index, {});
    },
    import: async ({ caller: { personId }, body: { companion, records } }) => {
      const companionId = await companions.require(companion);
      return messenger.ask(memoryContract.import, { personId, companionId, records });
    },
  }),
);
