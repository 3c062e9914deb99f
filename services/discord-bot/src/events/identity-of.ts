import type { IdentityRef } from '@kith/contracts';
import type { z } from 'zod';
import { cutText } from './clean-text.js';

/** Names a Discord user to the gateway. */
export function identityOf(userId: string, name: string): z.input<typeof IdentityRef> {
  return { door: 'discord', subject: userId, displayName: cutText(name, 100) || userId };
}
