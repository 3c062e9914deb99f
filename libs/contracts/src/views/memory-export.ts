import { z } from 'zod';
import { PastTime } from '../time/iso-time.js';
import { type CoreBlock, type CoreRecord, FactView, ImportRecord, type MemoryView } from './memory-view.js';
import { CompanionId } from '../values/words.js';

/**
 * Memory, as a line of an export: with the companion that has it, which earlier exports leave out. The times of a fact are
 * mended rather than refused: earlier versions took any times from a file and exported them, and their exports can't be told
 * from other files.
 */
export const MemoryRecord = ImportRecord.extend({
  companion: CompanionId.optional(),
  fact: FactView.extend({ validFrom: PastTime }).transform(withinItsTimes).optional(),
});

/** Makes the line of an export from a memory, with its companion where that is given. */
export function memoryRecordOf(
  companion: string | undefined,
  memory: MemoryView,
): z.input<typeof MemoryRecord> {
  return { companion, ...importRecordOf(memory) };
}

/** Makes the record that an import takes back, from a memory. */
export function importRecordOf(memory: MemoryView): z.input<typeof ImportRecord> {
  const { text, saidAt, speaker, conversation, sources, kind, audience, writer, importance } = memory;
  const { fact, formerHashes, subjectHash, sentences, pinned, shelf } = memory;
  return {
    text,
    saidAt,
    // A line under a name is anybody's; what the person said themself has none.
    ...(speaker === null || (writer === 'person' && kind === 'episode') ? {} : { speaker }),
    ...(conversation === null ? {} : { conversation }),
    sources,
    kind,
    audience,
    importance,
    ...(fact === null ? {} : { fact: withinItsTimes(fact) }),
    ...(formerHashes === undefined ? {} : { formerHashes }),
    ...(writer === 'companion' ? { note: true } : {}),
    ...(subjectHash === undefined ? {} : { subjectHash }),
    ...(sentences === undefined ? {} : { sentences }),
    ...(writer === 'person' && (kind === 'reflection' || (fact?.wording ?? null) !== null)
      ? { corrected: true }
      : {}),
    ...(pinned ? { pinned } : {}),
    ...(shelf === 'withdrawn' ? { withdrawn: true } : {}),
  };
}

/** Ends a fact no sooner than it begins. Earlier versions kept such ends from files, and an import refuses them. */
function withinItsTimes(fact: z.output<typeof FactView>): z.output<typeof FactView> {
  const { validFrom, validTo, holdsUntil } = fact;
  const atLeast = (end: string | null) =>
    end !== null && Date.parse(end) < Date.parse(validFrom) ? validFrom : end;
  return { ...fact, validTo: atLeast(validTo), holdsUntil: atLeast(holdsUntil) };
}

/** Makes the line of an export from a block of core memory with a companion. */
export function coreRecordOf(companion: string, { label, text, audience }: CoreBlock): CoreRecord {
  return { core: label, companion, text, audience: audience === 'direct' ? undefined : audience };
}
