import { createHmac, hkdfSync } from 'node:crypto';
import type { Door } from '@kith/contracts';
import type { Reader } from '@kith/database';

/** An account at a door, by the door's own id of it. */
export interface AccountId {
  door: Door;
  subject: string;
}

/**
 * Makes the marks by which accounts of erased people stay known: doors still have what these people wrote before. A
 * mark is a hash under a key of the suite's, so the database alone does not tell whose it is.
 */
export class AccountMarks {
  private readonly key: Buffer;

  constructor(secret: string) {
    this.key = Buffer.from(hkdfSync('sha256', secret, '', 'kith erased accounts', 32));
  }

  of({ door, subject }: AccountId): string {
    return createHmac('sha256', this.key).update(`${door} ${subject}`).digest('hex');
  }
}

/** Reads when the people of these accounts were last erased. Leaves out accounts of nobody who was. */
export async function readErasedAt(reader: Reader, marks: readonly string[]): Promise<Map<string, Date>> {
  const rows = await reader.$queryRaw<{ mark: string; erasedAt: Date }[]>`
    SELECT mark, erased_at AS "erasedAt" FROM erased_accounts WHERE mark = ANY (${[...marks]}::text[])`;
  return new Map(rows.map(({ mark, erasedAt }) => [mark, erasedAt]));
}
