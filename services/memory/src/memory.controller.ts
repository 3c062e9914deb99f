import { loreContract, memoryContract } from '@kith/contracts';
import { handleContract } from '@kith/service-host';
import { editCore } from './core/edit-core.js';
import { readCore } from './core/read-core.js';
import { addDocument, listDocuments } from './documents/add-document.js';
import { erasePerson } from './forget/erase-person.js';
import { findNoted } from './forget/find-noted.js';
import { forgetPlace } from './forget/forget-place.js';
import { reviseMessage } from './forget/revise-message.js';
import { undoForget } from './forget/undo-forget.js';
import { amendMemory } from './owner/amend-memory.js';
import { changeMemory } from './owner/change-memory.js';
import { setPrivacy, tellWhyNotNoted, werePrivate } from './owner/privacy.js';
import { readDescription } from './owner/read-description.js';
import { PARTS } from './parts.js';
import { findToForget } from './recall/find-to-forget.js';
import { readUnsettled } from './recall/read-unsettled.js';

export const MemoryController = handleContract(
  { ...memoryContract, ...loreContract },
  {},
  PARTS,
  (parts) => ({
    recall: async (request) => {
      const { companionId, lore } = request;
      const [recalled, called] = await Promise.all([
        parts.recall.recall(request),
        // Without lore, memories are still answered.
        lore && parts.lore.match({ companionId, ...lore }).catch(() => null),
      ]);
      return { ...recalled, lore: called?.hits ?? [] };
    },
    list: (request) => parts.lists.list(request),
    findToForget: async (request) => ({ ids: await findToForget(request, parts.recall, parts.database) }),
    forget: async (request) => {
      const done = await parts.forgetting.forget(request);
      // The words stand in this request and its answer, which Redis deletes but its file on disk still holds.
      if (!request.preview) parts.messenger.scrubDisk();
      return done;
    },
    undoForget: (request) => undoForget(parts, request),
    revise: (request) => reviseMessage(parts, request),
    reread: ({ personId, turnIds }) => parts.remembering.reread(personId, turnIds),
    leavePlaces: ({ audiences, left }) => parts.left.note(audiences, left),
    findNoted: (request) => findNoted(parts.database, request),
    forgetPlace: (request) => forgetPlace(parts.database, parts.forgetting, request),
    erase: (request) => erasePerson(parts, request),
    change: (request) => changeMemory(parts, request),
    amend: (request) => amendMemory(parts, request),
    unsettled: async (scope) => ({ contradictions: await readUnsettled(parts.database, scope) }),
    core: async (request) => {
      const { personId } = request;
      return { blocks: await parts.database.read({ personId }, (reader) => readCore(reader, request)) };
    },
    tasks: (request) => parts.tasks.list(request),
    addTask: (request) => parts.tasks.add(request),
    changeTask: (request) => parts.tasks.change(request),
    removeTask: (request) => parts.tasks.remove(request),
    dueTasks: (request) => parts.tasks.due(request),
    editCore: (request) => editCore(parts.database, request),
    addDocument: (request) => addDocument(parts, request),
    documents: async (request) => ({ documents: await listDocuments(parts.database, request) }),
    privacy: (request) => setPrivacy(parts.database, request),
    whyNotNoted: (request) => tellWhyNotNoted(parts.database, request),
    wasPrivate: async (request) => ({ wasPrivate: await werePrivate(parts.database, request) }),
    describe: (request) => readDescription(parts.database, request),
    init: () => parts.lists.init(),
    import: (request) => parts.imports.import(request),
    active: (request) => parts.lists.active(request),
    stats: (request) => parts.lists.stats(request),
    unfinished: async ({ turnIds }) => {
      const unfinished = await parts.ledger.missing(turnIds);
      return { unfinished, dead: await parts.messenger.deadTurns(memoryContract.remember, unfinished) };
    },
    index: () => parts.lists.indexState(),
    lore: async (request) => ({ entries: await parts.lore.list(request) }),
    putLore: (request) => parts.lore.put(request),
    importLore: (request) => parts.lore.import(request),
    removeLore: (request) => parts.lore.remove(request),
    matchLore: (request) => parts.lore.match(request),
    remember: async ({ turnIds }) => {
      await parts.remembering.remember(turnIds);
    },
    extract: async ({ whose }, { suspect }) => {
      await parts.extraction.extract(whose, suspect);
    },
    consolidate: async (which) => {
      const after = await parts.consolidation.consolidate(which);
      if (after !== null) await parts.messenger.enqueue(memoryContract.consolidate, { ...which, after });
    },
    reindex: async () => {
      await parts.reindexer.reindex();
    },
  }),
);
