import { conversationRoutes, type RouteClient, turnRoutes } from '@kith/contracts';
import { useCallback, useRef, type Dispatch, type RefObject } from 'react';
import { linesToRead, PAGE_SIZE, THREAD, type ChatState, type TranscriptPage } from './chat-thread.js';
import { findConversation } from './find-conversation.js';
import type { ChatAction } from './reduce-chat.js';

/** The API gives no more at once. */
const MAX_AT_ONCE = 200;

/**
 * Reads transcripts and turns into the chat's state.
 * @param latest holds the newest state, also between renders
 */
export function useReads(
  api: RouteClient,
  latest: RefObject<{ state: ChatState }>,
  dispatch: Dispatch<ChatAction>,
) {
  const askedTurns = useRef(new Set<string>());
  /** Number of times that all was read again: an answer to an earlier request may hold forgotten words. */
  const rereads = useRef(0);
  /** Number of pages that were asked for: of newest ones, the last asked for counts. */
  const reads = useRef(0);

  /** Reads one page of a transcript; `before` is the cursor of the page after it. */
  const readPage = useCallback(
    (id: string, before?: string, limit = PAGE_SIZE) =>
      api.call(conversationRoutes.messages, { params: { id }, query: { before, limit } }),
    [api],
  );
  const load = useCallback(
    async (companionId: string, older: boolean, read: () => Promise<TranscriptPage | null>) => {
      let asked: number;
      let outcome: ChatAction;
      do {
        asked = rereads.current;
        reads.current += 1;
        const own = { companionId, older, number: reads.current };
        dispatch({ type: 'history-started', ...own });
        outcome = await read().then(
          (page): ChatAction => ({ type: 'history-loaded', ...own, page }),
          (): ChatAction => ({ type: 'history-failed', ...own }),
        );
        // The caller asks for the newest page once. So where it is outdated by then, it is asked for again here.
      } while (!older && asked !== rereads.current);
      if (asked === rereads.current) dispatch(outcome);
    },
    [dispatch],
  );
  const loadNewest = useCallback(
    (companionId: string) =>
      load(companionId, false, async () => {
        const thread = latest.current.state.threads[companionId];
        const conversationId =
          thread?.conversationId ?? (await findConversation(api, companionId, THREAD))?.id;
        if (conversationId === undefined) return null;
        // As many as are shown, as far as one page goes, so that a reader keeps their place; and all that was said on
        // this page, whose lines stand behind those that are read.
        const needed = thread === undefined ? 0 : Math.max(linesToRead(thread), thread.live.length + 2);
        return await readPage(conversationId, undefined, Math.min(Math.max(needed, PAGE_SIZE), MAX_AT_ONCE));
      }),
    [api, latest, load, readPage],
  );

  /** Has all that was read be read again, by an action that says why. */
  const readAnew = useCallback(
    (action: ChatAction) => {
      rereads.current += 1;
      askedTurns.current.clear();
      dispatch(action);
    },
    [dispatch],
  );

  const loadOlder = useCallback(
    async (companionId: string) => {
      const thread = latest.current.state.threads[companionId];
      if (thread?.conversationId == null || thread.olderCursor === null || thread.older === 'loading') return;
      const { conversationId, olderCursor } = thread;
      await load(companionId, true, () => readPage(conversationId, olderCursor));
    },
    [latest, load, readPage],
  );

  /** Asks for an old turn's reasons, once at a time. */
  const loadTurn = useCallback(
    (turnId: string) => {
      if (askedTurns.current.has(turnId)) return;
      askedTurns.current.add(turnId);
      const asked = rereads.current;
      api.call(turnRoutes.show, { params: { id: turnId } }).then(
        (turn) => asked === rereads.current && dispatch({ type: 'turn-loaded', turn }),
        () => {
          if (asked !== rereads.current) return;
          askedTurns.current.delete(turnId);
          dispatch({ type: 'turn-failed', turnId });
        },
      );
    },
    [api, dispatch],
  );

  return { loadNewest, loadOlder, loadTurn, readAnew };
}
