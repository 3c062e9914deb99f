import { randomUUID } from 'node:crypto';
import { type ForgetNamed, inParts, memoryContract, type MemoryView } from '@kith/contracts';
import type { Database, ForgetOrderModel } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import { linesOf, type LineChoice } from '../redaction/choose-lines.js';
import { findLost, hasLostLines, removeRepeats, type LostBefore } from '../redaction/lost-repeats.js';

/** Messages of one question: of each, memory mostly has a few rows, and it shows fifty. */
const ASKED_AT_ONCE = 10;

/** Order that removes them, or an erasure, which has none. */
type Remover = Pick<ForgetOrderModel, 'id' | 'personId' | 'companionId' | 'at' | 'undoUntil' | 'reason'>;

/**
 * Removes later replies that repeat messages whose lines retention has taken. Memory alone still has the words of these:
 * an order does so before memory forgets them.
 */
export class RepeatsOfLost {
  constructor(
    private readonly database: Database,
    private readonly messenger: Pick<Messenger, 'ask'>,
    /** Later replies were left out for lack of time. */
    private readonly cutShort: (orderId: string) => void,
  ) {}

  /** Removes them for an order of a person to forget. Safe to repeat. @throws AppError `unavailable` */
  async ofOrder(order: Remover, what: ForgetNamed): Promise<void> {
    const { personId, companionId } = order;
    if (!(await hasLostLines(this.database, personId))) return;
    const sources = what.kind === 'ids' ? (await this.ask(order, what)).sources : [];
    await this.of(order, { personId, companionId, what: linesOf(what, sources, order.at) });
  }

  /** Removes them for one message that was edited or deleted. Safe to repeat. @throws AppError `unavailable` */
  async ofMessage(order: Remover, source: string): Promise<void> {
    const { personId, companionId } = order;
    await this.of(order, { personId, companionId, what: { sources: [source] } });
  }

  /** Removes them for good where a person is erased. Runs before memory erases them. @throws AppError `unavailable` */
  async ofErased(personId: string): Promise<void> {
    const erasure = { id: randomUUID(), personId, companionId: null, at: new Date(), undoUntil: null };
    await this.ofOrder({ ...erasure, reason: 'forgotten' }, { kind: 'all' });
  }

  private async of(order: Remover, choice: LineChoice): Promise<void> {
    const lost = Map.groupBy(await findLost(this.database, choice), ({ messageId }) => messageId);
    const told: (LostBefore & { text: string })[] = [];
    for (const sources of inParts([...lost.keys()], ASKED_AT_ONCE)) {
      const rows = await this.rowsOf(order, sources);
      // A summary repeats other messages, too.
      for (const { text, sources: from } of rows.filter(({ kind }) => kind !== 'reflection'))
        told.push(...from.flatMap((source) => lost.get(source) ?? []).map((one) => ({ ...one, text })));
    }
    if (told.length > 0 && (await removeRepeats(this.database, order, told))) this.cutShort(order.id);
  }

  /** Reads what memory has of these messages: of one at a time where it has more than it shows at once. */
  private async rowsOf(order: Remover, sources: string[]): Promise<MemoryView[]> {
    const { memories, rows } = await this.ask(order, { kind: 'sources', sources });
    if (rows <= memories.length || sources.length === 1) return memories;
    const ofEach: MemoryView[] = [];
    for (const source of sources) ofEach.push(...(await this.rowsOf(order, [source])));
    return ofEach;
  }

  private ask({ id: orderId, personId, companionId }: Remover, what: ForgetNamed) {
    const asked = { orderId, personId, companionId, what, undoUntil: null, preview: true };
    return this.messenger.ask(memoryContract.forget, asked);
  }
}
