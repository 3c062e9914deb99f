import { z } from 'zod';
import { IsoDay, IsoTime } from '../time/iso-time.js';
import { defineEvent, defineJob, defineRequest, Nothing } from './define.js';
import { erasePerson } from './erasure.js';
import { forgetMade, leavePlaces, SpokenTurns, undoForget } from './forgetting.js';
import { handleTurns, MAX_TURNS_IN_JOB, unfinishedTurns } from './turn-batch.js';
import { Audience, CompanionDay, CompanionId, MoodView, PersonId, TurnId } from '../values/words.js';
import {
  CompanionView,
  PersonaJson,
  PersonaVersionView,
  PersonaVersionNumber,
} from '../views/companion-view.js';
import { BondView, QuirkView, NeedView, DiaryEntryView } from '../views/character-view.js';
import { AffectEventList, MoodCourse, Replay, DayOrTime } from '../views/affect-view.js';

/** Person whose turns an answer may name; null: everybody's, for an operator. */
const Viewer = PersonId.nullable();

export const personalityContract = {
  /** Every companion of this suite. */
  companions: defineRequest('personality.companions', {
    request: z.object({}),
    response: z.object({ companions: z.array(CompanionView) }),
    timeoutMs: 2_000,
  }),
  /** One companion; `not_found` names the id and lists those there are. */
  companion: defineRequest('personality.companion', {
    request: z.object({ companionId: CompanionId }),
    response: CompanionView,
    timeoutMs: 2_000,
  }),
  /** A version of its persona, the one in force without a number. `not_found` lists those that are kept. */
  persona: defineRequest('personality.persona', {
    request: z.object({ companionId: CompanionId, version: PersonaVersionNumber.optional() }),
    response: PersonaVersionView.extend({ companionId: CompanionId, persona: PersonaJson }),
    timeoutMs: 2_000,
  }),
  /** Lists the kept versions, the latest first. */
  personaVersions: defineRequest('personality.persona-versions', {
    request: z.object({ companionId: CompanionId }),
    response: z.object({ versions: z.array(PersonaVersionView.extend({ inForce: z.boolean() })) }),
    timeoutMs: 2_000,
  }),
  /** Makes a companion that has no file. `conflict` where one of its id is there. */
  createCompanion: defineRequest('personality.create-companion', {
    request: z.object({ persona: PersonaJson }),
    response: CompanionView,
  }),
  /** Takes a companion without a file out of service; its rows stay. `invalid_request` for one of a file. */
  retireCompanion: defineRequest('personality.retire-companion', {
    request: z.object({ companionId: CompanionId }),
    response: z.object({ retired: CompanionId }),
  }),
  /** Has a companion answer nobody, or everybody again. */
  pauseCompanion: defineRequest('personality.pause-companion', {
    request: z.object({ companionId: CompanionId, paused: z.boolean() }),
    response: CompanionView,
  }),
  /**
   * Puts a persona in force until its file changes. `invalid_request` names each field that is wrong; `conflict` where
   * another version is in force than the one it was made from.
   */
  editPersona: defineRequest('personality.edit-persona', {
    request: z.object({
      companionId: CompanionId,
      persona: PersonaJson,
      basedOn: PersonaVersionNumber.optional(),
    }),
    response: CompanionView,
  }),
  /** Puts an earlier version in force again, as a new one. */
  rollBackPersona: defineRequest('personality.roll-back-persona', {
    request: z.object({ companionId: CompanionId, version: PersonaVersionNumber }),
    response: CompanionView,
  }),
  /** Reads who is speaking, in what mood, to whom: the prompt's persona part and what the doors show. */
  compose: defineRequest('personality.compose', {
    request: z.object({
      companionId: CompanionId,
      personId: PersonId,
      /** Readers of the reply: a joke of a DM is not alluded to in a channel. */
      audience: Audience,
      now: IsoTime,
    }),
    response: z.object({
      companion: CompanionView,
      /** For the system message: persona, style, example dialogue. Changes only with the persona. */
      personaBlock: z.string(),
      /** For the end of the system message: mood and bond in a few first-person lines. */
      moodBlock: z.string(),
      /** Jokes to allude to, as they were said: for the prompt's data, never for the system message. */
      jokes: z.array(z.string()),
      mood: MoodView,
      bond: BondView,
    }),
    timeoutMs: 2_000,
  }),
  /**
   * Mood now, baseline, and its course over a period. With a person: as it is towards them. Emotions and their minutes
   * are told of that person's turns alone; what other people's did to the mood shows at the end of the hour.
   */
  mood: defineRequest('personality.mood', {
    request: z.object({
      companionId: CompanionId,
      personId: PersonId.optional(),
      from: IsoTime.optional(),
      to: IsoTime.optional(),
      now: IsoTime,
    }),
    response: MoodCourse,
  }),
  /** Reads its needs, the most urgent first. For a viewer, what other people's turns did shows at the end of the hour. */
  needs: defineRequest('personality.needs', {
    request: z.object({ companionId: CompanionId, viewer: Viewer, now: IsoTime }),
    response: z.object({ needs: z.array(NeedView) }),
    timeoutMs: 2_000,
  }),
  /** Reads how strongly these turns were felt; those that left no feeling are not among the answers. */
  felt: defineRequest('personality.felt', {
    request: z.object({
      whose: z
        .array(z.object({ personId: PersonId, turnIds: z.array(TurnId).min(1).max(500) }))
        .min(1)
        .max(MAX_TURNS_IN_JOB),
    }),
    response: z.object({
      /** The strongest emotion's intensity, in (0, 1]. */
      turns: z.array(
        z.object({
          turnId: TurnId,
          intensity: z.number(),
          /** Pleasure, from -1 to 1. */
          pleasure: z.number().default(0),
        }),
      ),
    }),
    timeoutMs: 2_000,
  }),
  /** Explains why the mood moved, the latest first, by the turns the viewer may know of. */
  affectEvents: defineRequest('personality.affect-events', {
    request: z.object({
      companionId: CompanionId,
      viewer: Viewer,
      /** Person who asks: what was hoped or feared is told in words only to whoever told it. */
      asker: PersonId,
      from: IsoTime.optional(),
      to: IsoTime.optional(),
      limit: z.int().min(1).max(200).default(50),
      /** `nextCursor` of the page before. */
      cursor: z
        .string()
        .regex(/^\d{1,18}$/, 'the nextCursor of a page')
        .optional(),
    }),
    response: AffectEventList,
  }),
  /** Reads the bond of a companion and a person now; for people who never met, that of strangers. */
  bond: defineRequest('personality.bond', {
    request: z.object({ companionId: CompanionId, personId: PersonId, now: IsoTime }),
    response: BondView,
    timeoutMs: 2_000,
  }),
  /** Its habits, the strongest first. */
  quirks: defineRequest('personality.quirks', {
    request: z.object({ companionId: CompanionId, viewer: Viewer, now: IsoTime }),
    response: z.object({ quirks: z.array(QuirkView) }),
    timeoutMs: 2_000,
  }),
  /** Its diary, the latest day first. */
  diary: defineRequest('personality.diary', {
    request: z.object({
      companionId: CompanionId,
      viewer: Viewer,
      /** Days before this one. */
      before: IsoDay.optional(),
      limit: z.int().min(1).max(100).default(14),
    }),
    response: z.object({ entries: z.array(DiaryEntryView), nextCursor: IsoDay.nullable() }),
  }),
  /**
   * Past days felt again from the log. Without a persona nothing may differ from what is stored; with one, the
   * replayed course is what the days would have been. A day stands for its first moment where the companion lives.
   */
  replay: defineRequest('personality.replay', {
    request: z.object({
      companionId: CompanionId,
      from: DayOrTime,
      to: DayOrTime,
      persona: PersonaJson.optional(),
    }),
    response: Replay,
    timeoutMs: 20_000,
  }),
  /** Reads a finished turn, appraises it, moves the mood and the bond. Once per turn. */
  appraise: handleTurns('personality.appraise'),
  /** Reads a turn again that was edited, for what is hoped or feared in its new words. How it was felt stays. */
  reread: defineJob('personality.reread', {
    payload: z.object({ turnId: TurnId, revision: z.int() }),
    idOf: ({ turnId, revision }) => `${turnId}-${revision}`,
    attempts: 10,
  }),
  /** Returns the turns that are not appraised yet. */
  unfinished: unfinishedTurns('personality.unfinished'),
  leavePlaces: leavePlaces('personality.leave-places'),
  /**
   * Forgets how these turns were felt, and what came of them alone: they were said where the companion is no more. Nothing
   * is kept of those that are handled late.
   */
  forgetTurns: defineRequest('personality.forget-turns', {
    request: z.object({ turns: SpokenTurns.min(1) }),
    response: Nothing,
    timeoutMs: 30_000,
  }),
  /** Forgets jokes, hopes and habits that come of these turns; how they were felt stays. */
  forget: forgetMade('personality.forget'),
  undoForget: undoForget('personality.undo-forget'),
  /** Erases or counts what it felt with a person, and their bond. */
  erase: erasePerson('personality.erase'),
  /**
   * The companion's night over one of its days: quirks, self-note, diary. Goes on where a run ended halfway; one night
   * at a time for each companion; safe to repeat.
   */
  reflect: defineJob('personality.reflect', {
    payload: CompanionDay,
    idOf: ({ companionId, day }) => `${companionId}-${day}`,
    concurrency: 1,
  }),
  moodChanged: defineEvent(
    'personality.mood-changed',
    z.object({ companionId: CompanionId, personId: PersonId, turnId: TurnId, mood: MoodView }),
    { mayBeLost: true },
  ),
};
