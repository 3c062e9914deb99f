import type { ServerFrame } from '@kith/contracts';
import { useEffect, useMemo, useReducer, useState } from 'react';
import { Recoveries } from './api/recoveries.js';
import { countTalkChange, NO_TALK_CHANGES } from './chat/count-talk-change.js';
import { useChat } from './chat/use-chat.js';
import { useExplainedReply } from './chat/use-explained-reply.js';
import { useOpenThread } from './chat/use-open-thread.js';
import { visibleItems } from './chat/visible-items.js';
import { useCompanions } from './companion/use-companions.js';
import { FullPage } from './full-page.js';
import { HealthBanner } from './health/health-banner.js';
import { useRecoveryCount } from './health/use-recovery-count.js';
import { useHealth } from './health/use-health.js';
import { PAGES, type Page } from './page/page-in.js';
import { mayLeave } from './page/unsaved.js';
import { useEvery } from './page/use-every.js';
import { usePage } from './page/use-page.js';
import { useLastForgotten } from './memories/use-last-forgotten.js';
import { useMood } from './mood/use-mood.js';
import { Rooms } from './rooms.js';
import type { SignedIn } from './session/use-session.js';
import { ToolDialog } from './tools/tool-dialog.js';
import { useToolQuestions } from './tools/use-tools.js';
import { TopBar } from './top-bar.js';
import './console.css';

interface ConsoleProps {
  session: SignedIn;
  onSignOut: (problem?: string) => void;
  onKeyRefused: (key: string, problem: string) => void;
}

const KEY_ENDED = 'You were signed out: this key was ended. Ask whoever gave it to you for a new one.';

/** The page of someone who signed in: the conversation, and beside it what goes on in the companion. */
export function Console({ session, onSignOut, onKeyRefused }: ConsoleProps) {
  const { api } = session;
  const [now, setNow] = useState(() => new Date());
  useEvery(20_000, () => setNow(new Date()));
  const health = useHealth(api);
  const companions = useCompanions(api);
  const companion = companions.chosen;
  const companionId = companion?.id ?? '';
  const [isMindOpen, setMindOpen] = useState(false);
  const [addressed, openPage] = usePage();
  const [talk, countChange] = useReducer(countTalkChange, NO_TALK_CHANGES);
  const lastForgotten = useLastForgotten();

  const onFrame = (frame: ServerFrame): void => {
    if (frame.type === 'mood') mood.heard(frame.companionId, frame.mood);
    if (frame.type === 'done') {
      explained.chooseLatest();
      mood.moved();
      if (frame.turn.questions !== undefined) void asked.reread();
      if (frame.turn.degraded.length > 0) health.check();
    }
    // Too many words at once, or words that are refused, say nothing of the suite.
    if (frame.type === 'error' && frame.problem.status >= 500) health.check();
    if (frame.type === 'talk-changed') countChange(frame);
  };
  const chat = useChat(session, companionId, {
    onFrame,
    onKeyRefused: () => onKeyRefused(session.key, KEY_ENDED),
  });

  const { status } = chat;
  const recoveries = useRecoveryCount({ status, troubles: health.troubles }) + talk.gaps;
  // What was forgotten while there was no connection was not announced.
  const perhapsForgotten = talk.changes + recoveries;
  const asked = useToolQuestions(api, perhapsForgotten);
  const mood = useMood(api, companion?.id ?? null, perhapsForgotten);
  const { check } = health;
  useEffect(() => {
    if (status !== 'connecting') check();
  }, [status, check]);

  const thread = useOpenThread(chat, companionId);
  const items = useMemo(() => visibleItems(chat.state, thread), [chat.state, thread]);
  const explained = useExplainedReply(chat, items);

  const closedPages = closedPagesOf(session);
  const page = closedPages.has(addressed) ? 'chat' : addressed;
  useEffect(() => {
    const [, label] = PAGES.find(([name]) => name === page) ?? [];
    document.title = page === 'chat' || label === undefined ? 'Kith' : `${label} · Kith`;
    return () => void (document.title = 'Kith');
  }, [page]);
  return (
    <div className="console" data-mind={isMindOpen}>
      <TopBar
        displayName={session.displayName}
        companions={companions.all}
        companionId={companionId}
        status={status}
        isMindOpen={isMindOpen}
        page={page}
        closedPages={closedPages}
        models={health.models}
        onPage={openPage}
        onChoose={(id) => {
          // The settings of writing first are the person's own, and stay.
          if (page !== 'outreach' && !mayLeave()) return;
          explained.chooseLatest();
          companions.choose(id);
        }}
        onMind={() => setMindOpen((isOpen) => !isOpen)}
        onSignOut={() => {
          if (mayLeave()) onSignOut();
        }}
      />
      <HealthBanner troubles={health.troubles} now={now} />
      <ToolDialog {...asked} />
      <Recoveries value={recoveries}>
        {companion === null ? (
          <main className="waiting" role="status">
            {companions.problem === null ? 'One moment …' : `${companions.problem} Trying again …`}
          </main>
        ) : page === 'chat' ? (
          <Rooms
            session={session}
            companion={companion}
            chat={chat}
            items={items}
            explained={explained}
            mood={mood}
            talkChanges={talk.changes}
            now={now}
            onExplain={() => setMindOpen(true)}
            onMemories={() => openPage('memories')}
          />
        ) : (
          <FullPage
            page={page}
            session={session}
            companions={companions}
            companion={companion}
            talk={talk}
            last={lastForgotten}
            now={now}
            onForgotten={chat.reread}
            onSignOut={onSignOut}
          />
        )}
      </Recoveries>
    </div>
  );
}

/** Pages for operators that this person may not open. */
function closedPagesOf({ mayChangeCompanions, mayAudit }: SignedIn): ReadonlySet<Page> {
  const closed = new Set<Page>();
  if (!mayChangeCompanions) closed.add('companions');
  if (!mayAudit) closed.add('audit');
  return closed;
}
