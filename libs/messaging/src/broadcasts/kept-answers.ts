import { z } from 'zod';
import type { Broadcasts } from './broadcasts.js';

/** Time after which a change made by hand in the database is known here: nothing announces it. */
const MAX_KEPT_MS = 60_000;
/** Age of a kept answer while broadcasts may be lost: a change is known here after so long. */
const UNHEARD_MS = 5_000;
/** Some ten megabytes of small answers. */
const MAX_KEPT = 10_000;

const Notice = z.object({ tags: z.array(z.string()) });

interface KeptAnswer<Value> {
  value: Value;
  tags: readonly string[];
  at: number;
  gap: number;
}

/**
 * Answers that hardly ever change, kept in this process until somebody says that they did: whoever changes one ends it
 * in all processes by a broadcast. While broadcasts may be lost an answer is kept for seconds, and when they are heard
 * again none from before is.
 */
export class KeptAnswers<Value> {
  private readonly kept = new Map<string, KeptAnswer<Value>>();
  private readonly watchers = new Set<(tags: readonly string[]) => void>();
  /** A question that was under way when something ended may have the answer of before. */
  private ends = 0;

  /**
   * @param channel where ends are announced
   * @param tagsOf what an answer is ended by
   * @param longestMs how long an answer is kept that nobody ends
   */
  constructor(
    private readonly broadcasts: Pick<Broadcasts, 'publish' | 'hear' | 'isHearing' | 'gap'>,
    private readonly channel: string,
    private readonly tagsOf: (value: Value, key: string) => readonly string[] = (_, key) => [key],
    private readonly longestMs = MAX_KEPT_MS,
  ) {}

  /** Hears of answers that end elsewhere. Returns a function that stops it. */
  listen(): () => void {
    return this.broadcasts.hear(this.channel, (payload) => {
      const notice = Notice.safeParse(payload);
      if (notice.success) this.drop(notice.data.tags);
    });
  }

  /** The answer that is kept, or the one that is found now. What `find` throws is thrown, and not kept. */
  async of(key: string, find: () => Promise<Value>): Promise<Value> {
    const kept = this.kept.get(key);
    if (kept && this.isGood(kept)) return kept.value;
    const { gap } = this.broadcasts;
    const ends = this.ends;
    const value = await find();
    if (ends !== this.ends) return value;
    if (this.kept.size >= MAX_KEPT) this.kept.clear();
    this.kept.set(key, { value, tags: this.tagsOf(value, key), at: performance.now(), gap });
    return value;
  }

  /** Ends the answers with one of these tags, in all processes. */
  async end(tags: readonly string[]): Promise<void> {
    this.drop(tags);
    await endKept(this.broadcasts, this.channel, tags);
  }

  /** Calls `watcher` with tags whose answers end, here or elsewhere. Returns a function that stops it. */
  watch(watcher: (tags: readonly string[]) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  /** Ends them in this process alone. */
  drop(ended: readonly string[]): void {
    this.ends += 1;
    for (const [key, { tags }] of this.kept)
      if (tags.some((tag) => ended.includes(tag))) this.kept.delete(key);
    for (const watcher of this.watchers) watcher(ended);
  }

  private isGood({ at, gap }: KeptAnswer<Value>): boolean {
    if (gap !== this.broadcasts.gap) return false;
    return performance.now() - at < (this.broadcasts.isHearing ? this.longestMs : UNHEARD_MS);
  }
}

/** Ends answers that others keep, from a process that keeps none of them. */
export async function endKept(
  broadcasts: Pick<Broadcasts, 'publish'>,
  channel: string,
  tags: readonly string[],
): Promise<void> {
  await broadcasts.publish(channel, { tags });
}
