import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';

/** Messages that a note may name: some turns of a lively talk, and what they call to mind. */
export const MAX_NOTED_FROM = 200;

/** Ids of messages at their doors: what is noted for them goes when any of them is forgotten. */
export const NotedFrom = z.array(z.string().min(1).max(200)).max(MAX_NOTED_FROM).default([]);

/** Fields that say where a note comes from. */
export const NOTED_FROM = {
  sources: NotedFrom,
  /** When the message that is answered was written or received: a note of what was forgotten since is refused. */
  begunAt: IsoTime.optional(),
};
