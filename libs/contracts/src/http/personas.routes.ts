import { z } from 'zod';
import {
  CompanionView,
  DayOrTime,
  PersonaJson,
  PersonaVersionNumber,
  PersonaVersionView,
  Replay,
} from '../personality.contract.js';
import { CompanionId } from '../words.js';
import type { Routes } from './route.js';

/** A persona as it was in force once. */
export const PersonaVersion = PersonaVersionView.extend({ companionId: CompanionId, persona: PersonaJson });
export const PersonaHistory = z.object({
  companionId: CompanionId,
  versions: z.array(PersonaVersionView.extend({ inForce: z.boolean() })),
});
export const RollbackRequest = z.strictObject({ version: PersonaVersionNumber });
export const ReplayRequest = z.strictObject({
  from: DayOrTime,
  to: DayOrTime,
  /** As its file would hold it; left out: each turn with the version it was felt with. */
  persona: PersonaJson.optional(),
});

const OneCompanion = z.strictObject({ id: CompanionId });

export const CompanionRetired = z.object({ retired: CompanionId });

export const personaRoutes = {
  create: {
    method: 'POST',
    path: '/v1/companions',
    scope: 'admin',
    summary: 'Create a companion from a persona; it is in force at once, and needs no file',
    body: PersonaJson,
    answer: CompanionView,
    status: 201,
    errors: ['conflict'],
  },
  retire: {
    method: 'DELETE',
    path: '/v1/companions/{id}',
    scope: 'admin',
    summary: 'Take a companion that has no file out of service; what it keeps of people stays',
    params: OneCompanion,
    answer: CompanionRetired,
    errors: ['not_found'],
  },
  show: {
    method: 'GET',
    path: '/v1/companions/{id}/persona',
    scope: 'admin',
    summary: 'Its persona as a file would hold it: the version in force, or an earlier one',
    params: OneCompanion,
    query: z.strictObject({
      version: z.coerce.number<number>().pipe(PersonaVersionNumber).optional().describe('an earlier one'),
    }),
    answer: PersonaVersion,
    errors: ['not_found'],
  },
  edit: {
    method: 'PUT',
    path: '/v1/companions/{id}/persona',
    scope: 'admin',
    summary: 'Put a persona in force, as a new version, until its file changes',
    params: OneCompanion,
    body: PersonaJson,
    answer: CompanionView,
    errors: ['not_found'],
  },
  versions: {
    method: 'GET',
    path: '/v1/companions/{id}/persona/versions',
    scope: 'admin',
    summary: 'Versions of its persona, the latest first',
    params: OneCompanion,
    answer: PersonaHistory,
    errors: ['not_found'],
  },
  rollBack: {
    method: 'POST',
    path: '/v1/companions/{id}/persona/rollback',
    scope: 'admin',
    summary: 'Put an earlier version in force again, as a new one',
    params: OneCompanion,
    body: RollbackRequest,
    answer: CompanionView,
    errors: ['not_found'],
  },
  replay: {
    method: 'POST',
    path: '/v1/companions/{id}/replay',
    scope: 'admin',
    summary: 'Feel past days again: as they were, to prove the log, or with a changed persona',
    params: OneCompanion,
    body: ReplayRequest,
    answer: Replay,
    errors: ['not_found'],
  },
} as const satisfies Routes;
