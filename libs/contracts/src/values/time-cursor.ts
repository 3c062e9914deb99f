import { AppError } from '../errors/app-error.js';
import { IsoTime } from '../time/iso-time.js';
import { Uuid } from './words.js';

/** Place in a list that is sorted by a time, where rows of the same time are sorted by their id. */
interface TimePlace {
  at: Date;
  id: string;
}

/** Writes where a page of such a list ends. */
export function writeTimeCursor({ at, id }: TimePlace): string {
  return Buffer.from(`${at.toISOString()} ${id}`).toString('base64url');
}

/** Reads where the page before ended. @throws AppError `invalid_request` for a cursor that is not ours */
export function readTimeCursor(cursor: string): TimePlace {
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  const read = Uuid.safeParse(id);
  if (!IsoTime.safeParse(at).success || !read.success) {
    throw new AppError('invalid_request', 'this cursor is not one of ours; begin without one', {
      field: 'cursor',
    });
  }
  return { at: new Date(at), id: read.data };
}
