import type { ReasonKind } from '@kith/contracts';
import { whoseBirthday } from './whose-birthday.js';

/** Tells whether a reason gives another day for an open birthday: nobody has two. */
export function isCorrected(
  open: { kind: ReasonKind; about: string },
  { kind, about }: { kind: ReasonKind; about: string },
): boolean {
  if (kind !== 'date' || open.kind !== 'date') return false;
  const whose = whoseBirthday(about);
  return whose !== null && whose === whoseBirthday(open.about);
}
