import { keepNote } from '@kith/characters';
import { AppError, personalityContract, personaRoutes } from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { Controller } from '@nestjs/common';
import { CompanionDirectory } from '../intake/companion-directory.js';
import { readPersonaVersion } from './read-persona-version.js';
import { Serves, type RouteCall } from './serves.js';

/** Serves operators what makes a companion who it is: its persona, its versions, and past days felt again. */
@Controller()
export class PersonasController {
  constructor(
    private readonly messenger: Messenger,
    private readonly directory: CompanionDirectory,
  ) {}

  @Serves(personaRoutes.create)
  onCreate({ body: persona }: RouteCall<typeof personaRoutes.create>) {
    return this.change(this.messenger.ask(personalityContract.createCompanion, { persona }));
  }

  @Serves(personaRoutes.retire)
  async onRetire({ params: { id: companionId } }: RouteCall<typeof personaRoutes.retire>) {
    if (companionId === this.directory.defaultCompanion)
      throw new AppError(
        'invalid_request',
        `${companionId} answers where nobody is named: set DEFAULT_COMPANION to another one first`,
        { field: 'id' },
      );
    return this.change(this.messenger.ask(personalityContract.retireCompanion, { companionId }));
  }

  @Serves(personaRoutes.pause)
  onPause({ params: { id: companionId }, body }: RouteCall<typeof personaRoutes.pause>) {
    return this.change(this.messenger.ask(personalityContract.pauseCompanion, { companionId, ...body }));
  }

  @Serves(personaRoutes.show)
  onPersona({ params: { id: companionId }, query }: RouteCall<typeof personaRoutes.show>) {
    return this.messenger.ask(personalityContract.persona, { companionId, ...query });
  }

  @Serves(personaRoutes.edit)
  async onEdit({ params: { id: companionId }, query, body }: RouteCall<typeof personaRoutes.edit>) {
    const inForce = await readPersonaVersion(this.messenger, companionId);
    const edit = { companionId, persona: keepNote(body, inForce), ...query };
    return this.change(this.messenger.ask(personalityContract.editPersona, edit));
  }

  @Serves(personaRoutes.versions)
  async onVersions({ params: { id: companionId } }: RouteCall<typeof personaRoutes.versions>) {
    const history = await this.messenger.ask(personalityContract.personaVersions, { companionId });
    return { companionId, ...history };
  }

  @Serves(personaRoutes.replay)
  onReplay({ params: { id: companionId }, body }: RouteCall<typeof personaRoutes.replay>) {
    return this.messenger.ask(personalityContract.replay, { companionId, ...body });
  }

  /** Has the list of companions read again after a change of one. */
  private async change<T>(changing: Promise<T>): Promise<T> {
    const changed = await changing;
    this.directory.forget();
    return changed;
  }
}
