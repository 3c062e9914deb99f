import type { ServerFrame } from '@kith/contracts';
import { useEffect, useMemo, useState } from 'react';
import { Recoveries } from './api/recoveries.js';
import { AuditPage } from './audit/audit-page.js';
import { threadWith } from './chat/chat-thread.js';
import { ChatView } from './chat/chat-view.js';
import { useChat } from './chat/use-chat.js';
import { visibleItems } from './chat/visible-items.js';
import { CompanionsPage } from './companion/companions-page.js';
import { useCompanions } from './companion/use-companions.js';
import { HealthBanner } from './health/health-banner.js';
import { useRecoveryCount } from './health/use-recovery-count.js';
import { useHealth } from './health/use-health.js';
import type { Page } from './page/page-in.js';
import { mayLeave } from './page/unsaved.js';
import { useEvery } from './page/use-every.js';
import { usePage } from './page/use-page.js';
import { MemoriesPage } from './memories/memories-page.js';
import { useLastForgotten } from './memories/use-last-forgotten.js';
import { PrivacyNote } from './memories/privacy-note.js';
import { MoodPanel } from './mood/mood-panel.js';
import { useMood } from './mood/use-mood.js';
import { OutreachPage } from './outreach/outreach-page.js';
import { RecallPanel } from './recall/recall-panel.js';
import { WhyPage } from './recall/why-page.js';
import type { SignedIn } from './session/use-session.js';
import { TasksPage } from './tasks/tasks-page.js';
import { ToolDialog } from './tools/tool-dialog.js';
import { ToolsPage } from './tools/tools-page.js';
import { useToolQuestions } from './tools/use-tools.js';
import { TopBar } from './top-bar.js';
import './console.css';

interface ConsoleProps {
  session: SignedIn;
  onSignOut: (problem?: string) => void;
  onKeyRefused: (key: string, problem: string) => void;
}

const KEY_ENDED = 'You were signed out: this key was ended. Ask whoever gave it to you for a new one.';

/** Time until a talk that could not be read is read again: as often as the page checks what is down. */
const READ_AGAIN_MS = 10_000;

/** The page of someone who signed in: the conversation, and beside it what goes on in the companion. */
export function Console({ session, onSignOut, onKeyRefused }: ConsoleProps) {
  const { api } = session;
  const [now, setNow] = useState(() => new Date());
  useEvery(20_000, () => setNow(new Date()));
  const health = useHealth(api);
  const companions = useCompanions(api);
  const companionId = companions.chosen?.id ?? '';
  const [selectedTurnId, setSelectedTurnId] = useState<string | null>(null);
  const [isMindOpen, setMindOpen] = useState(false);
  const [addressed, openPage] = usePage();
  const [talkChanges, setTalkChanges] = useState(0);
  const [talkForgets, setTalkForgets] = useState(0);
  const [gaps, setGaps] = useState(0);
  const lastForgotten = useLastForgotten();

  const onFrame = (frame: ServerFrame): void => {
    if (frame.type === 'mood') mood.heard(frame.companionId, frame.mood);
    if (frame.type === 'done') {
      setSelectedTurnId(null);
      mood.moved();
      if (frame.turn.questions !== undefined) void asked.look();
      if (frame.turn.degraded.length > 0) health.check();
    }
    // Too many words at once, or words that are refused, say nothing of the suite.
    if (frame.type === 'error' && frame.problem.status >= 500) health.check();
    if (frame.type === 'talk-changed') {
      setTalkChanges((number) => number + 1);
      if (frame.forgets === true) setTalkForgets((number) => number + 1);
      if (frame.forgets === undefined) setGaps((number) => number + 1);
    }
  };
  const chat = useChat(session, companionId, {
    onFrame,
    onKeyRefused: () => onKeyRefused(session.key, KEY_ENDED),
  });

  const { status, loadNewest, loadTurn } = chat;
  const recoveries = useRecoveryCount({ status, troubles: health.troubles }) + gaps;
  // What was forgotten while there was no connection was not announced.
  const perhapsForgotten = talkChanges + recoveries;
  const asked = useToolQuestions(api, perhapsForgotten);
  const mood = useMood(api, companions.chosen?.id ?? null, perhapsForgotten);
  const { check } = health;
  useEffect(() => {
    if (status !== 'connecting') check();
  }, [status, check]);

  const thread = threadWith(chat.state, companionId);
  const isUnread = thread.history === 'unloaded';
  useEffect(() => {
    // At first, after each reconnect and once something was forgotten.
    if (companionId !== '' && isUnread) void loadNewest(companionId);
  }, [companionId, isUnread, loadNewest]);

  useEvery(thread.history === 'failed' ? READ_AGAIN_MS : null, () => void loadNewest(companionId));

  const items = useMemo(() => visibleItems(chat.state, thread), [chat.state, thread]);
  const replies = items.filter((item) => item.kind === 'reply');
  const latest = replies.findLast(({ turnId }) => turnId !== null);
  const selected = replies.find(({ turnId }) => turnId === selectedTurnId) ?? latest;
  const turnToExplain = selected?.state === 'done' ? selected.turnId : null;
  useEffect(() => {
    if (turnToExplain !== null && chat.state.turns[turnToExplain] === undefined) loadTurn(turnToExplain);
  }, [turnToExplain, chat.state.turns, loadTurn]);

  const companion = companions.chosen;
  const about = { api, companionId, name: companion?.name ?? '', talkChanges, now };
  const { mayAudit, mayChangeCompanions } = session;
  const closedPages = new Set<Page>([
    ...(mayChangeCompanions ? [] : (['companions'] as const)),
    ...(mayAudit ? [] : (['audit'] as const)),
  ]);
  const page = closedPages.has(addressed) ? 'chat' : addressed;
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
          setSelectedTurnId(null);
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
        ) : page === 'audit' ? (
          <AuditPage api={api} now={now} />
        ) : page === 'companions' ? (
          <CompanionsPage
            api={api}
            personId={session.personId}
            companions={companions.all}
            companionId={companion.id}
            onChanged={companions.refresh}
          />
        ) : page === 'outreach' ? (
          <OutreachPage
            api={api}
            companions={companions.all}
            talkChanges={talkChanges}
            talkForgets={talkForgets + gaps}
            now={now}
          />
        ) : page === 'tasks' ? (
          // Words of a task may be forgotten, by a change that was lost, too: they are not shown until all is read again.
          <TasksPage key={`${companionId} ${talkForgets + gaps}`} {...about} />
        ) : page === 'tools' ? (
          <ToolsPage key={companionId} {...about} mayDecide={session.isOperator} />
        ) : page === 'why' ? (
          <WhyPage key={companionId} {...about} />
        ) : page === 'memories' ? (
          <MemoriesPage
            key={companionId}
            {...about}
            talkForgets={talkForgets}
            last={lastForgotten}
            onForgotten={chat.reread}
            onErased={onSignOut}
          />
        ) : (
          <main className="rooms">
            <ChatView
              key={companion.id}
              personId={session.personId}
              chat={chat}
              companion={companion}
              items={items}
              now={now}
              pad={mood.course?.now.pad ?? null}
              selectedTurnId={selected?.turnId ?? null}
              onSelect={(turnId) => {
                setSelectedTurnId(turnId === latest?.turnId ? null : turnId);
                setMindOpen(true);
              }}
            >
              <PrivacyNote api={api} talkChanges={talkChanges} onSwitch={() => openPage('memories')} />
            </ChatView>
            <aside className="mind" aria-label={`${companion.name}'s mind`}>
              <MoodPanel api={api} mood={mood} companion={companion} now={now} />
              <RecallPanel
                name={companion.name}
                recalled={selected?.recalled ?? null}
                hasFailed={turnToExplain !== null && chat.state.turns[turnToExplain] === null}
                hasReplies={selected !== undefined}
                wasOutOfReach={selected?.turn?.degraded.includes('memory') ?? false}
                isLatest={selected === latest}
                now={now}
                onRetry={() => turnToExplain !== null && loadTurn(turnToExplain)}
                onLatest={() => setSelectedTurnId(null)}
              />
            </aside>
          </main>
        )}
      </Recoveries>
    </div>
  );
}
