import { outreachContract, outreachRoutes } from '@kith/contracts';
import { Database } from '@kith/database';
import { Messenger } from '@kith/messaging';
import { Controller } from '@nestjs/common';
import { requirePerson } from '../people/key-rows.js';
import { Serves, type RouteCall } from './serves.js';

/** Serves what companions start: what a person allows, why they were written to, and what an operator forbids. */
@Controller()
export class OutreachController {
  constructor(
    private readonly database: Database,
    private readonly messenger: Messenger,
  ) {}

  @Serves(outreachRoutes.show)
  onSettings({ caller: { personId } }: RouteCall<typeof outreachRoutes.show>) {
    return this.messenger.ask(outreachContract.settings, { personId });
  }

  @Serves(outreachRoutes.change)
  onChange({ caller: { personId }, body: change }: RouteCall<typeof outreachRoutes.change>) {
    return this.messenger.ask(outreachContract.change, { personId, change });
  }

  @Serves(outreachRoutes.attempts)
  onAttempts({ caller: { personId }, query }: RouteCall<typeof outreachRoutes.attempts>) {
    return this.messenger.ask(outreachContract.attempts, { personId, ...query });
  }

  @Serves(outreachRoutes.channels)
  onChannels() {
    return this.messenger.ask(outreachContract.channelModes, {});
  }

  @Serves(outreachRoutes.changeChannel)
  onChannel({ params, body: { mode } }: RouteCall<typeof outreachRoutes.changeChannel>) {
    return this.messenger.ask(outreachContract.setChannelMode, { channelId: params.id, mode });
  }

  @Serves(outreachRoutes.restrict)
  async onRestrict({ params, body: change }: RouteCall<typeof outreachRoutes.restrict>) {
    const personId = params.id;
    await this.database.read({ personId }, (reader) => requirePerson(reader, personId));
    return this.messenger.ask(outreachContract.restrict, { personId, change });
  }
}
