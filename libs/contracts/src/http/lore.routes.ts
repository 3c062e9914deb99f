import { z } from 'zod';
import { LoreEntry, LoreImport, LoreInput, LoreMatch } from '../rpc/lore.contract.js';
import { Uuid } from '../values/words.js';
import { OneCompanion } from './companions.routes.js';
import { del, get, post, put, type Routes } from './route.js';

/** A lorebook as its program writes it; see `lore.import`. */
export const LoreImportRequest = z.strictObject({ book: z.unknown() });
export const LoreMatchRequest = z.strictObject({ text: z.string().min(1).max(16_000) });
export const LoreList = z.object({ entries: z.array(LoreEntry) });
export const LoreRemoved = z.object({ removed: z.string() });

export const loreRoutes = {
  list: get('/v1/companions/{id}/lore', 'admin', {
    summary: 'Lore of a companion’s world, in the order in which it is told',
    params: OneCompanion,
    answer: LoreList,
  }),
  put: put('/v1/companions/{id}/lore', 'admin', {
    summary: 'Keep an entry of lore, new or in the place of its namesake',
    params: OneCompanion,
    body: LoreInput,
    answer: LoreEntry,
  }),
  import: post('/v1/companions/{id}/lore/import', 'admin', {
    summary: 'Keep a lorebook: a list of entries, a Tavern card, or SillyTavern’s world info',
    params: OneCompanion,
    body: LoreImportRequest,
    answer: LoreImport,
  }),
  match: post('/v1/companions/{id}/lore/match', 'admin', {
    summary: 'Entries that a text would call up, and by which key',
    params: OneCompanion,
    body: LoreMatchRequest,
    answer: LoreMatch,
  }),
  remove: del('/v1/companions/{id}/lore/{entry}', 'admin', {
    summary: 'Remove an entry of lore',
    params: OneCompanion.extend({ entry: Uuid }),
    answer: LoreRemoved,
  }),
} satisfies Routes;
