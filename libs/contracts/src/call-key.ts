import { z } from 'zod';

/** Key of a tool's call: the same call again changes nothing. */
export const CallKey = z.string().min(1).max(120);
