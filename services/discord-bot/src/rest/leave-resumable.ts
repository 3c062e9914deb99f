import { SimpleShardingStrategy } from 'discord.js';
import { LEAVE_RESUMABLE } from './close-code.js';

/** Hangs up in a way that leaves the session to be resumed; discord.js's own way ends it. */
export class LeaveResumable extends SimpleShardingStrategy {
  override destroy(): Promise<void> {
    return super.destroy({ code: LEAVE_RESUMABLE, reason: 'to be resumed' });
  }
}
