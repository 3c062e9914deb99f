import { DAY_MS, HOUR_MS, REMIND_LATE_MS } from '@kith/contracts';
import type { IntentionModel } from '@kith/database';
import { MAX_AHEAD_DAYS } from '../reasons/max-ahead-days.js';
import { MAX_OPEN_INTENTIONS } from './plan-noticed.js';

/** Prefix of a task's id among the sources of its reminder. */
export const TASK_SOURCE = 'task:';

/** A reason that a companion thought of by itself. */
export type GivenIntention = Pick<IntentionModel, 'about' | 'dueAt' | 'exact' | 'sources'>;

export type IntentionPlan =
  | { kind: 'create' }
  | { kind: 'update'; id: string; about: string; dueAt: Date; sources: string[] }
  /** `why` is returned to the companion. */
  | { kind: 'refuse'; why: string };

/**
 * Decides whether to keep a reason that a companion thought of, or to change the one of the same task. A reminder
 * follows its task, which may have other words by now, or come due sooner. Pure.
 * @param known open reasons, and done ones of the same task or with the same words
 */
export function planIntention(
  known: readonly Pick<IntentionModel, 'id' | 'about' | 'dueAt' | 'sources' | 'status'>[],
  { about, dueAt, exact, sources }: GivenIntention,
  { isOptedIn, now }: { isOptedIn: boolean; now: Date },
): IntentionPlan {
  if (!isOptedIn) return refuse('they have not allowed you to write first');
  const task = sources.find((source) => source.startsWith(TASK_SOURCE));
  const earliest = now.getTime() - (task === undefined ? 0 : REMIND_LATE_MS);
  if (dueAt.getTime() <= earliest || dueAt.getTime() > now.getTime() + MAX_AHEAD_DAYS * DAY_MS)
    return refuse('that is not within the year ahead');
  const open = known.filter(({ status }) => status === 'open');
  const isOfTask = ({ sources: its }: { sources: string[] }) => task !== undefined && its.includes(task);
  const isNear = (one: { dueAt: Date }) => Math.abs(one.dueAt.getTime() - dueAt.getTime()) < HOUR_MS;
  // It may have been sent early because its hour was at night. A task that was put off since is due later.
  const done = task === undefined ? [] : known.filter(({ status }) => status === 'done');
  if (done.some((one) => (isOfTask(one) ? one.dueAt >= dueAt : one.about === about && isNear(one))))
    return refuse('they were reminded of it already');
  const ofTask = open.find(isOfTask);
  if (ofTask && (dueAt < ofTask.dueAt || about !== ofTask.about))
    return {
      kind: 'update',
      id: ofTask.id,
      about,
      dueAt: dueAt < ofTask.dueAt ? dueAt : ofTask.dueAt,
      sources: [...new Set([...ofTask.sources, ...sources])],
    };
  // Memory bounds a person's open tasks, and nobody would hear of a reminder that was refused.
  if (task === undefined && open.length >= MAX_OPEN_INTENTIONS)
    return refuse('there is enough to come back to already');
  // Two tasks may have the same words, for another hour each.
  const isKept = open.some((one) => one.about === about && (!exact || isNear(one)));
  return ofTask || isKept ? refuse('that is kept already') : { kind: 'create' };
}

function refuse(why: string): IntentionPlan {
  return { kind: 'refuse', why };
}
