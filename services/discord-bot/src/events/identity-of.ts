import { cutText, type IdentityRef } from '@kith/contracts';
import type { z } from 'zod';

/** Names a Discord user to the gateway. */
export function identityOf(userId: string, name: string): z.input<typeof IdentityRef> {
  return { door: 'discord', subject: userId, displayName: cutText(name, 100) || userId };
}
