import { Controller, Get, Header, Param, Query, StreamableFile } from '@nestjs/common';
import {
  AppError,
  IsoDay,
  IsoTime,
  PersonId,
  lazy,
  personalityContract,
  type AffectEventList,
  type CompanionList,
  type CompanionView,
  type Diary,
  type MoodResponse,
  type NeedList,
  type QuirkList,
  type RelationshipView,
} from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { z } from 'zod';
import type { Caller } from '../people/api-keys.js';
import { Needs, TheCaller } from './api-key.guard.js';
import { ShowsOperatorsMore } from './audit.interceptor.js';
import { CompanionDirectory } from './companion-directory.js';
import { PAGE_LIMIT } from './page.js';
import { Parse, PATH_COMPANION } from './parse-input.js';

const moodCard = lazy('the drawing of moods', () => import('@kith/mood-card'));

const Period = z.strictObject({ from: IsoTime.optional(), to: IsoTime.optional() });
const EventPage = Period.extend({
  limit: PAGE_LIMIT,
  cursor: z
    .string()
    .regex(/^\d{1,18}$/, 'is no nextCursor')
    .optional(),
});
const DiaryPage = z.strictObject({
  before: IsoDay.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(14),
});
const Person = z.union([z.literal('me'), PersonId], 'is me or the id of a person');

@Controller('v1/companions')
export class CompanionsController {
  constructor(
    private readonly messenger: Messenger,
    private readonly companions: CompanionDirectory,
  ) {}

  @Get()
  @Needs('any-key')
  async onList(): Promise<z.output<typeof CompanionList>> {
    return { companions: await this.companions.list(), defaultCompanion: this.companions.defaultCompanion };
  }

  @Get(':id')
  @Needs('any-key')
  onCompanion(@Param('id', PATH_COMPANION) companionId: string): Promise<CompanionView> {
    return this.messenger.ask(personalityContract.companion, { companionId });
  }

  @Get(':id/mood')
  @Needs('chat')
  async onMood(
    @TheCaller() caller: Caller,
    @Param('id', PATH_COMPANION) companionId: string,
    @Query(new Parse(Period)) period: z.output<typeof Period>,
  ): Promise<z.output<typeof MoodResponse>> {
    return { companionId, ...(await this.mood(caller, companionId, period)) };
  }

  @Get(':id/mood.png')
  @Needs('chat')
  // It is what lies between the caller and the companion, and another one the next minute.
  @Header('cache-control', 'private, no-store')
  async onMoodCard(
    @TheCaller() caller: Caller,
    @Param('id', PATH_COMPANION) companionId: string,
    @Query(new Parse(Period)) period: z.output<typeof Period>,
  ): Promise<StreamableFile> {
    const [companion, mood] = await Promise.all([
      this.messenger.ask(personalityContract.companion, { companionId }),
      this.mood(caller, companionId, period),
    ]);
    const { drawMoodCard } = await moodCard();
    const { png } = await drawMoodCard({ companion, mood });
    return new StreamableFile(png, { type: 'image/png', length: png.length, disposition: 'inline' });
  }

  private mood({ personId }: Caller, companionId: string, period: z.output<typeof Period>) {
    refuseReversed(period);
    const now = new Date().toISOString();
    return this.messenger.ask(personalityContract.mood, { companionId, personId, now, ...period });
  }

  @ShowsOperatorsMore()
  @Get(':id/affect-events')
  @Needs('chat')
  async onAffectEvents(
    @TheCaller() caller: Caller,
    @Param('id', PATH_COMPANION) companionId: string,
    @Query(new Parse(EventPage)) page: z.output<typeof EventPage>,
  ): Promise<z.output<typeof AffectEventList>> {
    refuseReversed(page);
    const viewer = viewerOf(caller);
    const asker = caller.personId;
    return this.messenger.ask(personalityContract.affectEvents, { companionId, viewer, asker, ...page });
  }

  @ShowsOperatorsMore()
  @Get(':id/relationships/:person')
  @Needs('chat')
  async onRelationship(
    @TheCaller() caller: Caller,
    @Param('id', PATH_COMPANION) companionId: string,
    @Param('person', new Parse(Person, 'person')) person: string,
  ): Promise<RelationshipView> {
    const personId = person === 'me' ? caller.personId : person;
    if (personId !== caller.personId && !caller.scopes.includes('admin')) {
      throw new AppError('not_found', `there is no person ${personId} of yours`, { field: 'person' });
    }
    const now = new Date().toISOString();
    const view = await this.messenger.ask(personalityContract.relationship, { companionId, personId, now });
    return personId === caller.personId ? view : bondWithoutWords(view);
  }

  @Get(':id/needs')
  @Needs('chat')
  async onNeeds(
    @TheCaller() caller: Caller,
    @Param('id', PATH_COMPANION) companionId: string,
  ): Promise<z.output<typeof NeedList>> {
    const request = { companionId, viewer: viewerOf(caller), now: new Date().toISOString() };
    return { companionId, ...(await this.messenger.ask(personalityContract.needs, request)) };
  }

  @ShowsOperatorsMore()
  @Get(':id/quirks')
  @Needs('chat')
  async onQuirks(
    @TheCaller() caller: Caller,
    @Param('id', PATH_COMPANION) companionId: string,
  ): Promise<z.output<typeof QuirkList>> {
    const request = { companionId, viewer: viewerOf(caller), now: new Date().toISOString() };
    return { companionId, ...(await this.messenger.ask(personalityContract.quirks, request)) };
  }

  @ShowsOperatorsMore()
  @Get(':id/diary')
  @Needs('chat')
  async onDiary(
    @TheCaller() caller: Caller,
    @Param('id', PATH_COMPANION) companionId: string,
    @Query(new Parse(DiaryPage)) page: z.output<typeof DiaryPage>,
  ): Promise<z.output<typeof Diary>> {
    const request = { companionId, viewer: viewerOf(caller), ...page };
    return { companionId, ...(await this.messenger.ask(personalityContract.diary, request)) };
  }
}

/** Whose turns a caller may hear of: their own; an operator, everybody's. */
function viewerOf({ personId, scopes }: Caller): string | null {
  return scopes.includes('admin') ? null : personId;
}

/** A bond as an operator sees it: a joke of the two is the person's own words. */
function bondWithoutWords(view: RelationshipView): RelationshipView {
  const { stage, familiarity, affection, trust, tension, sentiment, interactions, milestones } = view;
  const { firstMetAt, lastSpokeAt } = view;
  return {
    ...{ stage, familiarity, affection, trust, tension, sentiment, interactions, milestones },
    ...{ firstMetAt, lastSpokeAt },
    jokes: [],
  };
}

/** @throws AppError `invalid_request` for a period that ends before it begins */
function refuseReversed({ from, to }: z.output<typeof Period>): void {
  if (from !== undefined && to !== undefined && Date.parse(to) < Date.parse(from)) {
    throw new AppError('invalid_request', 'the period ends before it begins', { field: 'to' });
  }
}
