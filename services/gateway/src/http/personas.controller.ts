import { keepNote } from '@kith/characters';
import { AppError, personalityContract, personaRoutes } from '@kith/contracts';
import { readPersonaVersion } from './read-persona-version.js';
import { serveRoutes } from './serve-routes.js';

const { create, retire, pause, show, edit, versions, replay } = personaRoutes;

/** Serves operators what makes a companion who it is: its persona, its versions, and past days felt again. */
export const PersonasController = serveRoutes(
  { create, retire, pause, show, edit, versions, replay },
  ({ messenger, companions: directory }) => {
    /** Has the list of companions read again after a change of one. */
    const change = async <T>(changing: Promise<T>): Promise<T> => {
      const changed = await changing;
      directory.forget();
      return changed;
    };
    return {
      create: ({ body: persona }) => change(messenger.ask(personalityContract.createCompanion, { persona })),
      retire: async ({ params: { id: companionId } }) => {
        if (companionId === directory.defaultCompanion)
          throw new AppError(
            'invalid_request',
            `${companionId} answers where nobody is named: set DEFAULT_COMPANION to another one first`,
            { field: 'id' },
          );
        return change(messenger.ask(personalityContract.retireCompanion, { companionId }));
      },
      pause: ({ params: { id: companionId }, body }) =>
        change(messenger.ask(personalityContract.pauseCompanion, { companionId, ...body })),
      show: ({ params: { id: companionId }, query }) =>
        messenger.ask(personalityContract.persona, { companionId, ...query }),
      edit: async ({ params: { id: companionId }, query, body }) => {
        const inForce = await readPersonaVersion(messenger, companionId);
        const persona = keepNote(body, inForce);
        return change(messenger.ask(personalityContract.editPersona, { companionId, persona, ...query }));
      },
      versions: async ({ params: { id: companionId } }) => ({
        companionId,
        ...(await messenger.ask(personalityContract.personaVersions, { companionId })),
      }),
      replay: ({ params: { id: companionId }, body }) =>
        messenger.ask(personalityContract.replay, { companionId, ...body }),
    };
  },
);
