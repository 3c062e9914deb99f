import { personalityContract } from '@kith/contracts';
import { handleContract } from '@kith/service-host';
import { PARTS } from './parts.js';
import { periodOf, replayPeriod } from './companion/replay-period.js';

export const PersonalityController = handleContract(
  personalityContract,
  {},
  PARTS,
  ({ companions, moods, appraisal, explanations, people, database, ...parts }) => ({
    companions: () => ({ companions: companions.all().map(({ view }) => view) }),
    companion: ({ companionId }) => companions.get(companionId).view,
    persona: ({ companionId, version }) => companions.persona(companionId, version),
    personaVersions: ({ companionId }) => companions.history(companionId),
    createCompanion: async ({ persona }) => (await companions.create(persona)).view,
    retireCompanion: async ({ companionId }) => {
      await companions.retire(companionId);
      return { retired: companionId };
    },
    pauseCompanion: async ({ companionId, paused }) => (await companions.setPaused(companionId, paused)).view,
    editPersona: async ({ companionId, persona, basedOn }) =>
      (await companions.edit(companionId, persona, basedOn)).view,
    rollBackPersona: async ({ companionId, version }) =>
      (await companions.rollBack(companionId, version)).view,
    felt: async ({ whose }) => ({ turns: await explanations.strongest(whose) }),
    compose: (request) => moods.compose(companions.get(request.companionId), request),
    forget: async (request) => ({ rows: await people.forget(request) }),
    undoForget: async (request) => ({ rows: await people.undo(request) }),
    mood: (request) => moods.course(companions.get(request.companionId), request),
    needs: ({ companionId, viewer, now }) => moods.needs(companions.get(companionId), viewer, new Date(now)),
    affectEvents: (request) => {
      companions.get(request.companionId);
      return explanations.events(request);
    },
    bond: ({ companionId, personId, now }) =>
      moods.bond(companions.get(companionId), personId, new Date(now)),
    quirks: ({ companionId, viewer, now }) =>
      moods.quirks(companions.get(companionId), viewer, new Date(now)),
    diary: (request) => {
      companions.get(request.companionId);
      return explanations.diary(request);
    },
    replay: ({ companionId, from, to, persona }) => {
      const { timeZone } = companions.get(companionId).view;
      return replayPeriod({ companions, database }, companionId, periodOf(from, to, timeZone), persona);
    },
    leavePlaces: ({ audiences, left }) => parts.left.note(audiences, left),
    forgetTurns: ({ turns }) => people.forgetTurns(turns),
    erase: async ({ personId, preview }) => {
      if (!preview) await people.erase(personId);
      return { holdings: await people.count(personId) };
    },
    unfinished: async ({ turnIds }) => {
      const edited = await parts.prospects.toReread(turnIds);
      const unfinished = [...(await parts.ledger.missing(turnIds)), ...edited.map(({ turnId }) => turnId)];
      return { unfinished, dead: await parts.messenger.deadTurns(personalityContract.appraise, unfinished) };
    },
    appraise: async ({ turnIds }) => {
      await appraisal.appraise(turnIds);
    },
    reread: ({ turnId }) => appraisal.reread(turnId),
    reflect: async (on) => {
      await parts.reflection.reflect(companions.get(on.companionId), on);
      await parts.ledger.prune();
      await parts.prospects.expire(on.companionId, on.day);
    },
  }),
);
