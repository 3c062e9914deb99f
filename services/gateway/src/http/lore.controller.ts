import { loreContract, loreRoutes } from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { Controller } from '@nestjs/common';
import { RecallRoom } from '../answer/recall-bounds.js';
import { CompanionDirectory } from '../intake/companion-directory.js';
import { Serves, type RouteCall } from './serves.js';

/** Serves operators what a companion knows of its world. */
@Controller()
export class LoreController {
  constructor(
    private readonly messenger: Messenger,
    private readonly companions: CompanionDirectory,
    private readonly room: RecallRoom,
  ) {}

  @Serves(loreRoutes.list)
  async onList({ params }: RouteCall<typeof loreRoutes.list>) {
    const companionId = await this.companions.require(params.id);
    return this.messenger.ask(loreContract.list, { companionId });
  }

  @Serves(loreRoutes.put)
  async onPut({ params, body: entry }: RouteCall<typeof loreRoutes.put>) {
    const companionId = await this.companions.require(params.id);
    return this.messenger.ask(loreContract.put, { companionId, entry });
  }

  @Serves(loreRoutes.import)
  async onImport({ params, body: { book } }: RouteCall<typeof loreRoutes.import>) {
    const companionId = await this.companions.require(params.id);
    return this.messenger.ask(loreContract.import, { companionId, book });
  }

  /** Finds the lore that a turn would be told. */
  @Serves(loreRoutes.match)
  async onMatch({ params, body: { text } }: RouteCall<typeof loreRoutes.match>) {
    const companionId = await this.companions.require(params.id);
    const maxTokens = this.room.now().loreTokens;
    return this.messenger.ask(loreContract.match, { companionId, texts: [text], maxTokens });
  }

  @Serves(loreRoutes.remove)
  async onRemove({ params }: RouteCall<typeof loreRoutes.remove>) {
    const companionId = await this.companions.require(params.id);
    return this.messenger.ask(loreContract.remove, { companionId, id: params.entry });
  }
}
