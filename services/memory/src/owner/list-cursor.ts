import { AppError, IsoTime, MemoryId } from '@kith/contracts';

/** Writes where a page of a list ends. */
export function writeCursor({ saidAt, id }: { saidAt: Date; id: string }): string {
  return Buffer.from(`${saidAt.toISOString()} ${id}`).toString('base64url');
}

/** Reads where the page before ended. */
export function readCursor(cursor: string): { saidAt: Date; id: string } {
  const [saidAt = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  if (!IsoTime.safeParse(saidAt).success || !MemoryId.safeParse(id).success) {
    throw new AppError('invalid_request', 'this cursor is not one of ours; begin without one', {
      field: 'cursor',
    });
  }
  return { saidAt: new Date(saidAt), id };
}
