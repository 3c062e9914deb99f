import { z } from 'zod';

/**
 * Rights of a key: to talk, and see how it stands with a companion; to read and forget what is remembered; to bring in
 * texts and history; to see and settle what companions start; to read what operators did; to run the suite.
 */
export const ApiScope = z.enum(['chat', 'memories', 'import', 'outreach', 'audit', 'admin']);
export type ApiScope = z.infer<typeof ApiScope>;
