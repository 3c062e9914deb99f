import type { z } from 'zod';
import type {
  CoreBlock,
  CoreRecord,
  FactView,
  ImportRecord,
  MemoryRecord,
  MemoryView,
} from './memory-view.js';

/** Makes the line of an export from a memory with a companion. */
export function memoryRecordOf(companion: string, memory: MemoryView): z.input<typeof MemoryRecord> {
  return { companion, ...importRecordOf(memory) };
}

/** Makes the record that an import takes back, from a memory. */
export function importRecordOf({
  text,
  saidAt,
  speaker,
  conversation,
  sources,
  kind,
  audience,
  writer,
  importance,
  fact,
  pinned,
  shelf,
}: MemoryView): z.input<typeof ImportRecord> {
  return {
    text,
    saidAt,
    // A line under a name is anybody's; what the person said themself has none.
    ...(speaker === null || (writer === 'person' && kind === 'episode') ? {} : { speaker }),
    ...(conversation === null ? {} : { conversation }),
    ...{ sources, kind, audience, importance },
    ...(fact === null ? {} : { fact: withinItsTimes(fact) }),
    ...(writer === 'companion' ? { note: true } : {}),
    ...(writer === 'person' && (fact?.wording ?? null) !== null ? { corrected: true } : {}),
    ...(pinned ? { pinned } : {}),
    ...(shelf === 'withdrawn' ? { withdrawn: true } : {}),
  };
}

/** Ends a fact no sooner than it begins: earlier versions took it as any file had it, and an import takes no such line. */
function withinItsTimes(fact: z.output<typeof FactView>): z.output<typeof FactView> {
  const { validFrom, validTo, holdsUntil } = fact;
  const atLeast = (end: string | null) =>
    end !== null && Date.parse(end) < Date.parse(validFrom) ? validFrom : end;
  return { ...fact, validTo: atLeast(validTo), holdsUntil: atLeast(holdsUntil) };
}

/** Makes the line of an export from a block of core memory with a companion. */
export function coreRecordOf(
  companion: string,
  { label, text }: Pick<CoreBlock, 'label' | 'text'>,
): CoreRecord {
  return { core: label, companion, text };
}
