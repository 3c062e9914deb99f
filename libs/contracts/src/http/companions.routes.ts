import { z } from 'zod';
import { IsoDay, IsoTime } from '../time/iso-time.js';
import { AffectEventList, MoodCourse } from '../views/affect-view.js';
import { BondView, DiaryEntryView, NeedView, QuirkView } from '../views/character-view.js';
import { CompanionView } from '../views/companion-view.js';
import { CompanionId, PersonId } from '../values/words.js';
import { addressNumber, PageLimit, RowCursor } from './page.js';
import { get, type Routes } from './route.js';

export const CompanionList = z.object({ companions: z.array(CompanionView), defaultCompanion: CompanionId });

export const MoodResponse = z.object({ companionId: CompanionId, ...MoodCourse.shape });
export const NeedList = z.object({ companionId: CompanionId, needs: z.array(NeedView) });
export const QuirkList = z.object({ companionId: CompanionId, quirks: z.array(QuirkView) });
export const Diary = z.object({
  companionId: CompanionId,
  entries: z.array(DiaryEntryView),
  nextCursor: IsoDay.nullable().describe('give it as `before` for older days'),
});

export const OneCompanion = z.strictObject({ id: CompanionId });
const Period = z.strictObject({
  from: IsoTime.optional().describe('ISO time'),
  to: IsoTime.optional().describe('ISO time'),
});

export const companionRoutes = {
  list: get('/v1/companions', 'any-key', { summary: 'Companions to talk with', answer: CompanionList }),
  show: get('/v1/companions/{id}', 'any-key', {
    summary: 'One companion',
    params: OneCompanion,
    answer: CompanionView,
  }),
  mood: get('/v1/companions/{id}/mood', 'chat', {
    summary: 'Its mood now, towards you, and its course',
    params: OneCompanion,
    query: Period,
    answer: MoodResponse,
  }),
  moodCard: get('/v1/companions/{id}/mood.png', 'chat', {
    summary: 'The same as a picture: its course, what moved it most, its traits, and what is between you',
    params: OneCompanion,
    query: Period,
    answer: 'image/png',
  }),
  affectEvents: get('/v1/companions/{id}/affect-events', 'chat', {
    summary:
      'Reasons why its mood moved: what was felt at your turns, and what that changed; with an admin key, at all turns',
    params: OneCompanion,
    query: Period.extend({
      limit: PageLimit,
      cursor: RowCursor.optional().describe('`nextCursor` of the page before'),
    }),
    answer: AffectEventList,
    showsOperatorsMore: true,
  }),
  bond: get('/v1/companions/{id}/bonds/{person}', 'chat', {
    summary: 'Bond between it and you (`me`); with an admin key, anybody',
    params: OneCompanion.extend({
      person: z.union([z.literal('me'), PersonId], 'is me or the id of a person'),
    }),
    answer: BondView,
    showsOperatorsMore: true,
  }),
  needs: get('/v1/companions/{id}/needs', 'chat', {
    summary:
      'Needs of a companion now, the most urgent first; others’ turns of this hour count with an admin key alone',
    params: OneCompanion,
    answer: NeedList,
    showsOperatorsMore: true,
  }),
  quirks: get('/v1/companions/{id}/quirks', 'chat', {
    summary: 'Its habits, the strongest first, with those of your turns that are behind them',
    params: OneCompanion,
    answer: QuirkList,
    showsOperatorsMore: true,
  }),
  diary: get('/v1/companions/{id}/diary', 'chat', {
    summary: 'Its diary, the latest day first; nobody’s words are in it',
    params: OneCompanion,
    query: z.strictObject({
      before: IsoDay.optional().describe('days before this one'),
      limit: addressNumber(1, 100).prefault(14).describe('days of a page'),
    }),
    answer: Diary,
    showsOperatorsMore: true,
  }),
} satisfies Routes;
