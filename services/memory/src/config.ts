import {
  baseSettings,
  databaseSettings,
  defineSettings,
  modelSettings,
  setting,
  type SettingsOf,
} from '@kith/service-host';
import { z } from 'zod';

export const settings = defineSettings({
  ...baseSettings('MEMORY_PORT', 3003),
  database: databaseSettings(),
  models: modelSettings(),
  index: {
    kind: setting(
      'VECTOR_INDEX',
      z.enum(['qdrant', 'exact']).optional(),
      'where vectors are: qdrant, or exact (in Postgres); unset: qdrant when QDRANT_URL is set',
    ),
    qdrantUrl: setting(
      'QDRANT_URL',
      z.url({ protocol: /^https?$/ }).optional(),
      'Qdrant, such as http://localhost:6333',
    ),
    qdrantApiKey: setting('QDRANT_API_KEY', z.string().optional(), "Qdrant's API key"),
  },
});

export type Config = SettingsOf<typeof settings>;
