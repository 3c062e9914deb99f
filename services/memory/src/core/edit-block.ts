import { AppError, CORE_LIMITS, type CoreEdit, type CoreLabel } from '@kith/contracts';
import { decideWrite } from '../words/decide-write.js';

/**
 * Edits the text of a core block. Pure.
 * @throws AppError `invalid_request`, worded for whoever edits, a model too: where the text is too long, the old text
 *   is not there exactly once, or the companion's words read like an order; `conflict` where the block is not as it was read
 */
export function editBlock(
  before: string,
  { label, edit, by }: { label: CoreLabel; edit: CoreEdit; by: 'person' | 'companion' | 'operator' },
): string {
  if (by !== 'operator' && label === 'operator')
    throw refused('the operator’s block is the operator’s alone', 'label');
  const after = apply(before, edit).trim();
  const limit = CORE_LIMITS[label];
  if (after.length > limit) {
    throw refused(
      `${label} would hold ${after.length} characters, and ${limit} fit: replace or shorten something`,
    );
  }
  const decision = decideWrite(after, 0);
  if (by === 'companion' && decision.kind === 'quarantine') {
    throw refused(`this is not kept: it holds ${decision.reason}`);
  }
  return after;
}

function apply(before: string, edit: CoreEdit): string {
  switch (edit.kind) {
    case 'set':
      // An edit that is sent again finds its own text there.
      if (![undefined, before].includes(edit.basedOn) && edit.text.trim() !== before)
        throw new AppError('conflict', 'this was changed meanwhile: read what it says now', {
          field: 'basedOn',
        });
      return edit.text;
    case 'append':
      return before === '' ? edit.text : `${before}\n${edit.text}`;
    case 'replace': {
      const count = before.split(edit.old).length - 1;
      if (count !== 1) {
        throw refused(
          count === 0 ? 'the old text is not in it, word for word' : `the old text is in it ${count} times`,
        );
      }
      return before.replace(edit.old, () => edit.new);
    }
  }
}

function refused(message: string, field = 'text'): AppError {
  return new AppError('invalid_request', message, { field });
}
