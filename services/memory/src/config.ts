import { MemoryKind } from '@kith/contracts';
import {
  baseSettings,
  databaseSettings,
  days,
  httpAddress,
  modelSettings,
} from '@kith/service-host/common-settings';
import { defineSettings, readSettings, setting, type SettingsOf } from '@kith/service-host/settings';
import { z } from 'zod';

/** Longest pause before facts are read: upkeep has lines read that wait for ten minutes, as if their order was lost. */
const MAX_FACTS_AFTER_MS = 300_000;

/** `episode=730,reflection=365` as days by kind. */
function readRetention(text: string, context: z.RefinementCtx): Partial<Record<MemoryKind, number>> {
  const kept: Partial<Record<MemoryKind, number>> = {};
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const [name = '', given = ''] = part.split('=').map((each) => each.trim());
    const kind = MemoryKind.safeParse(name);
    if (!kind.success || !/^[1-9]\d{0,4}$/.test(given)) {
      context.addIssue(
        `"${part.trim()}" is not such as episode=730; kinds are ${MemoryKind.options.join(', ')}`,
      );
      return z.NEVER;
    }
    kept[kind.data] = Number(given);
  }
  return kept;
}

export const settings = defineSettings({
  ...baseSettings('MEMORY_PORT', 3003),
  database: databaseSettings(),
  models: modelSettings(),
  factsAfterMs: setting(
    'FACTS_AFTER_MS',
    z.coerce.number().int().min(0).max(MAX_FACTS_AFTER_MS).default(20_000),
  ).is(
    'pause after a message before it is read for facts, with what came meanwhile, in milliseconds; 300000 at most',
  ),
  retention: {
    archiveAfterDays: setting('MEMORY_ARCHIVE_AFTER_DAYS', days(365)).is(
      'small talk that was never recalled goes to the archive after so many days; 0: never',
    ),
    retentionDays: setting('MEMORY_RETENTION_DAYS', z.string().transform(readRetention).optional()).is(
      'how long kinds of memories are kept, such as episode=730,reflection=365; what is not named is kept for good',
    ),
  },
  index: {
    kind: setting('VECTOR_INDEX', z.enum(['qdrant', 'exact']).optional()).is(
      'where vectors are: qdrant, or exact (in Postgres); unset: qdrant when QDRANT_URL is set',
    ),
    qdrantUrl: setting('QDRANT_URL', httpAddress.optional()).is('Qdrant, such as http://localhost:6333'),
    qdrantApiKey: setting('QDRANT_API_KEY', z.string().optional()).is("Qdrant's API key"),
    collectionPrefix: setting(
      'QDRANT_COLLECTION_PREFIX',
      z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'letters, digits, - and _')
        .default('kith-memories-'),
    ).is(
      'begins the names of its collections; on a server that others use, too, none of theirs may begin so',
    ),
  },
});

export type Config = SettingsOf<typeof settings>;

/** Reads how to reach Qdrant, for a program outside of the service; null where vectors are in Postgres. */
export function indexSettings(): { url: string; apiKey: string | undefined; prefix: string } | null {
  const { kind, qdrantUrl, qdrantApiKey, collectionPrefix } = readSettings(settings.index, process.env);
  if (kind === 'exact' || qdrantUrl === undefined) return null;
  return { url: qdrantUrl, apiKey: qdrantApiKey, prefix: collectionPrefix };
}
