import { z } from 'zod';
import { DayOrTime, Replay } from '../views/affect-view.js';
import {
  CompanionView,
  MAX_PERSONA_VERSION,
  PersonaJson,
  PersonaVersionNumber,
  PersonaVersionView,
} from '../views/companion-view.js';
import { CompanionId } from '../values/words.js';
import { OneCompanion } from './companions.routes.js';
import { addressNumber } from './page.js';
import { del, get, patch, post, put, type Routes } from './route.js';

/** A persona as it was in force once. */
export const PersonaVersion = PersonaVersionView.extend({ companionId: CompanionId, persona: PersonaJson });
export const PersonaHistory = z.object({
  companionId: CompanionId,
  versions: z.array(PersonaVersionView.extend({ inForce: z.boolean() })),
});
export const RollbackRequest = z.strictObject({ version: PersonaVersionNumber });
/** A companion of an earlier version, and whether that or the one before came with lore: it stays as it is. */
export const RolledBack = CompanionView.extend({ leavesLore: z.boolean() });
export const ReplayRequest = z.strictObject({
  from: DayOrTime,
  to: DayOrTime,
  persona: PersonaJson.optional().describe(
    'as its file would hold it; left out: each turn with the version it was felt with',
  ),
});

/** Formats that a companion's file is written in. */
export const CharacterFormat = z.enum(['kith', 'tavern-v2', 'tavern-v3', 'eliza', 'letta']);
export type CharacterFormat = z.infer<typeof CharacterFormat>;

/** The largest file of a character that is taken, in bytes: its picture's pixels may be left out. */
export const MAX_CHARACTER_BYTES = 5_000_000;
export const CharacterImportRequest = z.strictObject({
  content: z
    .base64()
    .min(4, 'the file is empty')
    .max(Math.ceil(MAX_CHARACTER_BYTES / 3) * 4)
    .describe('the file, as base64'),
  id: CompanionId.optional().describe('id of the companion; by its name otherwise'),
  replace: z.boolean().default(false).describe('a companion of that id becomes this one, as a new version'),
  dryRun: z.boolean().default(false).describe('says what the file holds, and changes nothing'),
});

const FieldReports = z.array(z.object({ field: z.string(), note: z.string() }));

/** Fields of a file by what became of them: in force, kept for an export, left out, or chosen since the file does not say. */
export const CharacterReportView = z.object({
  format: z.string(),
  understood: FieldReports,
  kept: FieldReports,
  dropped: FieldReports,
  assumed: FieldReports,
});

export const CharacterImported = z.object({
  /** As it would be in force, or is. */
  persona: PersonaJson,
  loreEntries: z.number().int(),
  report: CharacterReportView,
  /** True where there was a companion of this id. */
  isThere: z.boolean(),
  /** Null: nothing was changed. */
  companion: CompanionView.nullable(),
});

export const PauseRequest = z.strictObject({ paused: z.boolean() });

export const CompanionRetired = z.object({ retired: CompanionId });

export const personaRoutes = {
  create: post('/v1/companions', 'companions', {
    summary: 'Create a companion from a persona; it is in force at once, and needs no file',
    body: PersonaJson,
    answer: CompanionView,
    status: 201,
    errors: ['conflict'],
  }),
  retire: del('/v1/companions/{id}', 'companions', {
    summary: 'Take a companion that has no file out of service; what it keeps of people stays',
    params: OneCompanion,
    answer: CompanionRetired,
  }),
  import: post('/v1/companions/import', 'companions', {
    summary:
      'Bring a character in from its file: a Tavern card (JSON or PNG), of ElizaOS or Letta, or a persona',
    body: CharacterImportRequest,
    answer: CharacterImported,
    errors: ['conflict'],
  }),
  export: get('/v1/companions/{id}/file', 'companions', {
    summary: 'A companion with its lore, as the file of a program',
    params: OneCompanion,
    query: z.strictObject({ format: CharacterFormat.default('kith').describe('of the file') }),
    answer: PersonaJson,
  }),
  pause: patch('/v1/companions/{id}', 'companions', {
    summary: 'Have a companion answer nobody and write to nobody, or everybody again',
    params: OneCompanion,
    body: PauseRequest,
    answer: CompanionView,
  }),
  show: get('/v1/companions/{id}/persona', 'companions', {
    summary: 'Its persona as a file would hold it: the version in force, or an earlier one',
    params: OneCompanion,
    query: z.strictObject({
      version: addressNumber(1, MAX_PERSONA_VERSION).optional().describe('an earlier one'),
    }),
    answer: PersonaVersion,
  }),
  edit: put('/v1/companions/{id}/persona', 'companions', {
    summary: 'Put a persona in force, as a new version, until its file changes',
    params: OneCompanion,
    query: z.strictObject({
      basedOn: addressNumber(1, MAX_PERSONA_VERSION)
        .optional()
        .describe('version that it was made from: refused where another is in force by now'),
    }),
    body: PersonaJson,
    answer: CompanionView,
    errors: ['conflict'],
  }),
  versions: get('/v1/companions/{id}/persona/versions', 'companions', {
    summary: 'Versions of its persona, the latest first',
    params: OneCompanion,
    answer: PersonaHistory,
  }),
  rollBack: post('/v1/companions/{id}/persona/rollback', 'companions', {
    summary: 'Put an earlier version in force again, as a new one; lore stays as it is',
    params: OneCompanion,
    body: RollbackRequest,
    answer: RolledBack,
  }),
  replay: post('/v1/companions/{id}/replay', 'admin', {
    summary: 'Feel past days again: as they were, to prove the log, or with a changed persona',
    params: OneCompanion,
    body: ReplayRequest,
    answer: Replay,
  }),
} satisfies Routes;
