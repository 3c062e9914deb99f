import { AppError, companionRoutes, lazy, personalityContract } from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { Controller } from '@nestjs/common';
import { CompanionDirectory } from '../intake/companion-directory.js';
import type { Caller } from '../people/caller.js';
import { Serves, type RouteCall } from './serves.js';

const moodCard = lazy('the drawing of moods', () => import('@kith/mood-card'));

@Controller()
export class CompanionsController {
  constructor(
    private readonly messenger: Messenger,
    private readonly companions: CompanionDirectory,
  ) {}

  @Serves(companionRoutes.list)
  async onList() {
    return { companions: await this.companions.list(), defaultCompanion: this.companions.defaultCompanion };
  }

  @Serves(companionRoutes.show)
  onCompanion({ params: { id: companionId } }: RouteCall<typeof companionRoutes.show>) {
    return this.messenger.ask(personalityContract.companion, { companionId });
  }

  @Serves(companionRoutes.mood)
  async onMood(call: RouteCall<typeof companionRoutes.mood>) {
    return { companionId: call.params.id, ...(await this.mood(call)) };
  }

  @Serves(companionRoutes.moodCard)
  async onMoodCard(call: RouteCall<typeof companionRoutes.moodCard>): Promise<Uint8Array> {
    const [companion, mood] = await Promise.all([
      this.messenger.ask(personalityContract.companion, { companionId: call.params.id }),
      this.mood(call),
    ]);
    const { drawMoodCard } = await moodCard();
    const { png } = await drawMoodCard({ companion, mood });
    return png;
  }

  private mood({ caller: { personId }, params, query }: RouteCall<typeof companionRoutes.mood>) {
    refuseReversed(query);
    const now = new Date().toISOString();
    return this.messenger.ask(personalityContract.mood, { companionId: params.id, personId, now, ...query });
  }

  @Serves(companionRoutes.affectEvents)
  async onAffectEvents({ caller, params, query }: RouteCall<typeof companionRoutes.affectEvents>) {
    refuseReversed(query);
    const whose = { companionId: params.id, viewer: viewerOf(caller), asker: caller.personId };
    return this.messenger.ask(personalityContract.affectEvents, { ...whose, ...query });
  }

  @Serves(companionRoutes.bond)
  async onBond({ caller, params }: RouteCall<typeof companionRoutes.bond>) {
    const { id: companionId, person } = params;
    const personId = person === 'me' ? caller.personId : person;
    if (personId !== caller.personId && !caller.scopes.includes('admin')) {
      throw new AppError('not_found', `there is no person ${personId} of yours`, { field: 'person' });
    }
    const now = new Date().toISOString();
    const view = await this.messenger.ask(personalityContract.bond, { companionId, personId, now });
    // A joke of the two is the person's own words.
    return personId === caller.personId ? view : { ...view, jokes: [] };
  }

  @Serves(companionRoutes.needs)
  async onNeeds({ caller, params: { id: companionId } }: RouteCall<typeof companionRoutes.needs>) {
    const request = { companionId, viewer: viewerOf(caller), now: new Date().toISOString() };
    return { companionId, ...(await this.messenger.ask(personalityContract.needs, request)) };
  }

  @Serves(companionRoutes.quirks)
  async onQuirks({ caller, params: { id: companionId } }: RouteCall<typeof companionRoutes.quirks>) {
    const request = { companionId, viewer: viewerOf(caller), now: new Date().toISOString() };
    return { companionId, ...(await this.messenger.ask(personalityContract.quirks, request)) };
  }

  @Serves(companionRoutes.diary)
  async onDiary({ caller, params: { id: companionId }, query }: RouteCall<typeof companionRoutes.diary>) {
    const request = { companionId, viewer: viewerOf(caller), ...query };
    return { companionId, ...(await this.messenger.ask(personalityContract.diary, request)) };
  }
}

/** Finds whose turns a caller may hear of: their own, or everybody's (null) where they are an operator. */
function viewerOf({ personId, scopes }: Caller): string | null {
  return scopes.includes('admin') ? null : personId;
}

/** @throws AppError `invalid_request` for a period that ends before it begins */
function refuseReversed({ from, to }: { from?: string | undefined; to?: string | undefined }): void {
  if (from !== undefined && to !== undefined && Date.parse(to) < Date.parse(from)) {
    throw new AppError('invalid_request', 'the period ends before it begins', { field: 'to' });
  }
}
