import { z } from 'zod';
import {
  OutreachAttempts,
  OutreachChannelMode,
  OutreachRestriction,
  OutreachSettings,
  OutreachView,
} from '../rpc/outreach.contract.js';
import { DiscordId } from '../values/doors.js';
import { PersonId } from '../values/words.js';
import { Page } from './page.js';
import { get, patch, put, type Routes } from './route.js';

export const OutreachChange = z.strictObject({
  ...OutreachSettings.partial().shape,
  /** A channel is allowed from within it (`/companion settings`), so that nobody is written to where they are not. */
  channel: z.null('only null, to withdraw it: a channel is allowed from within it').optional(),
});
export const OutreachChannelChange = z.strictObject(OutreachChannelMode.pick({ mode: true }).shape);
export const OutreachChannelList = z.object({ channels: z.array(OutreachChannelMode) });
export const OutreachRestrictionChange = z.strictObject(OutreachRestriction.partial().shape);

export const outreachRoutes = {
  show: get('/v1/me/outreach', 'outreach', {
    summary: 'Settings of what companions may start with you, and what they have in mind',
    answer: OutreachView,
  }),
  change: patch('/v1/me/outreach', 'outreach', {
    summary: 'Opt in or out, set zone (a city will do), quiet hours, caps, and topics that are off',
    body: OutreachChange,
    answer: OutreachSettings,
  }),
  attempts: get('/v1/outreach', 'outreach', {
    summary: 'Messages that companions started with you and why, the newest first',
    query: Page,
    answer: OutreachAttempts,
  }),
  channels: get('/v1/outreach/channels', 'admin', {
    summary: 'Channels of which it is said whether companions may write first there',
    answer: OutreachChannelList,
  }),
  changeChannel: put('/v1/outreach/channels/{channel}', 'admin', {
    summary: 'Allow or forbid writing first in a channel, whatever people allow there',
    params: z.strictObject({ channel: DiscordId }),
    body: OutreachChannelChange,
    answer: OutreachChannelMode,
  }),
  restrict: patch('/v1/people/{id}/outreach', 'admin', {
    summary: 'Forbid companions to write first to somebody: a minor, or anybody in a time of rest',
    params: z.strictObject({ id: PersonId }),
    body: OutreachRestrictionChange,
    answer: OutreachRestriction,
  }),
} satisfies Routes;
