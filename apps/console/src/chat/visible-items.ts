import type { TurnEnding, TurnView, Withheld } from '@kith/contracts';
import {
  isDiscardable,
  type ChatState,
  type OwnMessage,
  type Reply,
  type Thread,
  type TranscriptEntry,
} from './chat-thread.js';

/** One line of the conversation as it is shown. */
export type VisibleItem =
  | (Pick<OwnMessage, 'kind' | 'text' | 'at' | 'state' | 'problem'> & {
      key: string;
      messageId: string | null;
      isDiscardable: boolean;
    })
  | (Omit<Reply, 'turnId' | 'recalled'> & {
      key: string;
      /** Null for what was said outside a turn. */
      turnId: string | null;
      /** End of the turn; null while it runs. */
      ending: TurnEnding | null;
      /** The whole turn; null while it runs, and for old turns until they are asked for. */
      turn: TurnView | null;
      /** Memories that came to mind for it, best first; null until they are known. */
      recalled: TurnView['recalled'] | null;
    });

/**
 * The kept transcript followed by what this tab has seen since, each message and reply once. A turn of
 * the transcript without a reply shows as one with an empty text: the companion stayed silent.
 */
export function visibleItems(state: ChatState, thread: Thread): VisibleItem[] {
  const entries = thread.stale?.entries ?? thread.entries;
  const keptTurns = new Set(entries.map(({ turnId }) => turnId));
  const keptMessages = new Set(entries.map(({ messageId }) => messageId ?? null));
  const live = [...(thread.stale?.live ?? []), ...thread.live].filter((item) =>
    item.kind === 'reply'
      ? !keptTurns.has(item.turnId)
      : !keptMessages.has(item.messageId) && (item.turnId === null || !keptTurns.has(item.turnId)),
  );
  return [
    ...keptItems(state, entries),
    ...live.map((item) => (item.kind === 'own' ? ownItem(item) : replyItem(state, item))),
  ];
}

function keptItems(state: ChatState, entries: readonly TranscriptEntry[]): VisibleItem[] {
  const answered = new Set(entries.flatMap(({ role, turnId }) => (role === 'companion' ? [turnId] : [])));
  return entries.flatMap((entry, index): VisibleItem[] => {
    const { id, messageId, at, turnId, role } = entry;
    const text = entry.withheld == null ? entry.text : WITHHELD[entry.withheld];
    if (role === 'companion') return [keptReply(state, entry, turnId ?? id, text)];
    const own: VisibleItem = {
      kind: 'own',
      key: messageId ?? id,
      text,
      at,
      state: 'answered',
      messageId: null,
      problem: null,
      isDiscardable: false,
    };
    const endsItsTurn = turnId !== entries[index + 1]?.turnId;
    const isSilent = turnId !== null && endsItsTurn && !answered.has(turnId);
    return isSilent ? [own, keptReply(state, entry, turnId, '')] : [own];
  });
}

/** Words shown in place of those that are withheld. */
const WITHHELD: Readonly<Record<Withheld, string>> = {
  forgotten: '(forgotten)',
  private: '(said in private)',
  deleted: '(deleted)',
  edited: '(repeated words that were edited)',
  undelivered: '(did not arrive)',
  left: '(repeated words from a server that was left)',
};

function keptReply(state: ChatState, entry: TranscriptEntry, key: string, text: string): VisibleItem {
  const { turnId, at, ending } = entry;
  const turn = turnId === null ? null : (state.turns[turnId] ?? null);
  return {
    kind: 'reply',
    key,
    turnId,
    text,
    at,
    state: 'done',
    restarted: false,
    ending: turn ?? ending ?? null,
    turn,
    recalled: turn?.recalled ?? null,
    mood: turn?.mood ?? null,
  };
}

function ownItem(message: OwnMessage): VisibleItem {
  const { kind, messageId, text, at, state, problem } = message;
  const shown = { kind, key: messageId, text, at, state, messageId, problem };
  return { ...shown, isDiscardable: isDiscardable(message) };
}

function replyItem(state: ChatState, reply: Reply): VisibleItem {
  const turn = state.turns[reply.turnId] ?? null;
  return { ...reply, key: reply.turnId, ending: turn, turn };
}
