import { Body, Controller, Get, Param, Patch, Put, Query } from '@nestjs/common';
import {
  AppError,
  ChannelId,
  OutreachChange,
  OutreachChannelChange,
  outreachContract,
  OutreachRestrictionChange,
  type OutreachAttempts,
  type OutreachChannelList,
  type OutreachChannelMode,
  type OutreachRestriction,
  type OutreachSettings,
  type OutreachView,
} from '@kith/contracts';
import { Database } from '@kith/database';
import { Messenger } from '@kith/messaging';
import { z } from 'zod';
import type { Caller } from '../people/api-keys.js';
import { Needs, TheCaller } from './api-key.guard.js';
import { Page } from './page.js';
import { Parse } from './parse-input.js';

/** What companions start: what a person allows, why they were written to, and what an operator forbids. */
@Controller('v1')
export class OutreachController {
  constructor(
    private readonly database: Database,
    private readonly messenger: Messenger,
  ) {}

  @Get('me/outreach')
  @Needs('outreach')
  onSettings(@TheCaller() { personId }: Caller): Promise<z.output<typeof OutreachView>> {
    return this.messenger.ask(outreachContract.settings, { personId });
  }

  @Patch('me/outreach')
  @Needs('outreach')
  onChange(
    @TheCaller() { personId }: Caller,
    @Body(new Parse(OutreachChange)) change: z.output<typeof OutreachChange>,
  ): Promise<OutreachSettings> {
    return this.messenger.ask(outreachContract.change, { personId, change });
  }

  @Get('outreach')
  @Needs('outreach')
  onAttempts(
    @TheCaller() { personId }: Caller,
    @Query(new Parse(Page)) page: z.output<typeof Page>,
  ): Promise<z.output<typeof OutreachAttempts>> {
    return this.messenger.ask(outreachContract.attempts, { personId, ...page });
  }

  @Get('outreach/channels')
  @Needs('admin')
  onChannels(): Promise<z.output<typeof OutreachChannelList>> {
    return this.messenger.ask(outreachContract.channelModes, {});
  }

  @Put('outreach/channels/:id')
  @Needs('admin')
  onChannel(
    @Param('id', new Parse(ChannelId, 'id')) channelId: string,
    @Body(new Parse(OutreachChannelChange)) { mode }: z.output<typeof OutreachChannelChange>,
  ): Promise<OutreachChannelMode> {
    return this.messenger.ask(outreachContract.setChannelMode, { channelId, mode });
  }

  @Patch('people/:id/outreach')
  @Needs('admin')
  async onRestrict(
    @Param('id', new Parse(z.uuid(), 'id')) personId: string,
    @Body(new Parse(OutreachRestrictionChange)) change: z.output<typeof OutreachRestrictionChange>,
  ): Promise<OutreachRestriction> {
    const person = await this.database.asSystem((tx) => tx.person.findUnique({ where: { id: personId } }));
    if (!person) throw new AppError('not_found', `no person ${personId}`);
    return this.messenger.ask(outreachContract.restrict, { personId, change });
  }
}
