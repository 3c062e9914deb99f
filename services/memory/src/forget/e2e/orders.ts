import { randomUUID } from 'node:crypto';
import { memoryContract, type ReadTurn, type RequestInput } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { MemoryOnIndex } from '../../e2e/on-each-index.js';

export type Order = RequestInput<typeof memoryContract.forget>;
type Note = Pick<
  RequestInput<typeof memoryContract.import>['records'][number],
  'text' | 'saidAt' | 'sources'
>;

/** The place whose core memory is looked at. */
export const place = (personId: string) => ({ personId, companionId: 'wren', audience: 'direct' as const });
export const minutesAfter = (at: string, minutes: number) =>
  new Date(Date.parse(at) + minutes * 60_000).toISOString();
export const inAMinute = () => minutesAfter(new Date().toISOString(), 1);

export const EVERYTHING = { kind: 'all' as const };
export const sources = (...named: string[]) => ({ kind: 'sources' as const, sources: named });
export const ids = (...named: unknown[]) => ({ kind: 'ids' as const, ids: named.map(String) });
export const days = (from: string, to: string) => ({
  kind: 'period' as const,
  from: `${from}T00:00:00Z`,
  to: `${to}T00:00:00Z`,
});

/** Orders to forget on one index, and looks at what is left. */
export type Orders = ReturnType<typeof withOrders>;

/** Makes orders to forget, and looks at what is left. */
export function withOrders(memory: MemoryOnIndex) {
  const { say, extract, remember } = memory;
  const ask: Messenger['ask'] = (contract, request, how) => memory.messenger.ask(contract, request, how);

  const forget = (personId: string, what: Order['what'], over: Partial<Order> = {}) =>
    ask(memoryContract.forget, { orderId: randomUUID(), personId, what, ...over });
  return {
    memory,
    ask,
    forget,
    /** Has something forgotten of what one companion remembers. */
    forgetOfWren: (personId: string, what: Order['what'], over: Partial<Order> = {}) =>
      forget(personId, what, { companionId: 'wren', ...over }),
    find: async (personId: string, query: string) => {
      return (await ask(memoryContract.findToForget, { personId, companionId: 'wren', query })).ids;
    },
    /** Has something forgotten that can be undone. */
    order: async (personId: string, what: Order['what'], over: Partial<Order> = {}) => {
      const orderId = randomUUID();
      await forget(personId, what, { orderId, undoUntil: inAMinute(), ...over });
      return orderId;
    },
    undo: (personId: string, orderId: string, turnIds: string[] = []) =>
      ask(memoryContract.undoForget, { orderId, personId, turnIds }),
    /** Has a message of a turn edited. */
    revise: (
      personId: string,
      turnId: string,
      over: { n?: number; revision?: number | null; orderId?: string } = {},
    ) => {
      const { n = 0, revision = 1, orderId = randomUUID() } = over;
      const source = `${turnId}-${n}`;
      return ask(memoryContract.revise, { orderId, personId, companionId: 'wren', turnId, source, revision });
    },
    /** Has the companion note something in core memory. */
    note: (personId: string, text: string, from: string, key?: string) =>
      ask(memoryContract.editCore, {
        ...place(personId),
        label: 'human',
        by: 'companion',
        sources: [from],
        key,
        edit: { kind: 'append', text },
      }),
    coreOf: async (personId: string) => {
      const { blocks } = await ask(memoryContract.core, place(personId));
      return blocks.map(({ text }) => text);
    },
    /** Keeps a note of the companion among the memories. */
    keepNote: (personId: string, note: Note) =>
      ask(memoryContract.import, {
        personId,
        companionId: 'wren',
        records: [{ ...note, speaker: 'Wren', note: true }],
      }),
    addTask: (personId: string, text: string, from: string) =>
      ask(memoryContract.addTask, { ...place(personId), by: 'companion', sources: [from], task: { text } }),
    /** The time of the stores' clock. */
    nowOfStores: async () => {
      const [now] = await memory.stores.query('SELECT now() AS at');
      return (now!['at'] as Date).toISOString();
    },
    /** A turn that began, and whose messages were said, at a time. */
    turnAt: (at: string, said: string | string[], over: Partial<ReadTurn> = {}) => {
      const turn = memory.turn(said, { startedAt: at, ...over });
      for (const message of turn.messages) message.at = at;
      return turn;
    },
    /** Has somebody say where they live, and an hour later that it is elsewhere; both are read. */
    sayTheyMoved: async () => {
      const { personId, turnId } = await say('I live in Paris');
      await extract(personId);
      const later = memory.turn('I live in Oslo', { personId });
      for (const message of later.messages) message.at = '2026-05-01T11:00:00.000Z';
      await remember(later);
      await extract(personId);
      return { personId, paris: `${turnId}-0`, oslo: `${later.turnId}-0` };
    },
    /** The words of all memories, sorted. */
    wordsOf: async (personId: string) => {
      return (await memory.rowsOf(personId)).map(({ text }) => String(text)).toSorted();
    },
  };
}
