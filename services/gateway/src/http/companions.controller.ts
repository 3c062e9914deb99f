import { AppError, companionRoutes, lazy, personalityContract, type ParsedInput } from '@kith/contracts';
import type { Caller } from '../people/caller.js';
import { requirePerson } from '../people/key-rows.js';
import { serveRoutes } from './serve-routes.js';

const moodCard = lazy('the drawing of moods', () => import('@kith/mood-card'));

export const CompanionsController = serveRoutes(companionRoutes, ({ messenger, companions, database }) => {
  const moodOf = (
    companionId: string,
    { personId }: Caller,
    query: ParsedInput<typeof companionRoutes.mood>['query'],
  ) => {
    refuseReversed(query);
    const now = new Date().toISOString();
    return messenger.ask(personalityContract.mood, { companionId, personId, now, ...query });
  };
  return {
    list: async () => ({
      companions: await companions.list(),
      defaultCompanion: companions.defaultCompanion,
    }),
    show: ({ params: { id: companionId } }) => messenger.ask(personalityContract.companion, { companionId }),
    mood: async ({ caller, params: { id: companionId }, query }) => ({
      companionId,
      ...(await moodOf(companionId, caller, query)),
    }),
    moodCard: async ({ caller, params: { id: companionId }, query }) => {
      // The mood comes first, which may refuse the period: a question asked before would fail with nobody to hear it.
      const [mood, companion] = await Promise.all([
        moodOf(companionId, caller, query),
        messenger.ask(personalityContract.companion, { companionId }),
      ]);
      const { drawMoodCard } = await moodCard();
      return (await drawMoodCard({ companion, mood })).png;
    },
    affectEvents: async ({ caller, params: { id: companionId }, query }) => {
      refuseReversed(query);
      const whose = { companionId, viewer: viewerOf(caller), asker: caller.personId };
      return messenger.ask(personalityContract.affectEvents, { ...whose, ...query });
    },
    bond: async ({ caller, params: { id: companionId, person } }) => {
      const personId = person === 'me' ? caller.personId : person;
      if (personId !== caller.personId && !caller.scopes.includes('admin'))
        throw new AppError('not_found', `there is no person ${personId} of yours`, { field: 'person' });
      await database.read({ personId }, (reader) => requirePerson(reader, personId));
      const now = new Date().toISOString();
      const view = await messenger.ask(personalityContract.bond, { companionId, personId, now });
      // A joke of the two is the person's own words.
      return personId === caller.personId ? view : { ...view, jokes: [] };
    },
    needs: async ({ caller, params: { id: companionId } }) => {
      const request = { companionId, viewer: viewerOf(caller), now: new Date().toISOString() };
      return { companionId, ...(await messenger.ask(personalityContract.needs, request)) };
    },
    quirks: async ({ caller, params: { id: companionId } }) => {
      const request = { companionId, viewer: viewerOf(caller), now: new Date().toISOString() };
      return { companionId, ...(await messenger.ask(personalityContract.quirks, request)) };
    },
    diary: async ({ caller, params: { id: companionId }, query }) => {
      const request = { companionId, viewer: viewerOf(caller), ...query };
      return { companionId, ...(await messenger.ask(personalityContract.diary, request)) };
    },
  };
});

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
