import type { CompanionView } from '@kith/contracts';
import { AuditPage } from './audit/audit-page.js';
import type { TalkChanges } from './chat/count-talk-change.js';
import { CompanionsPage } from './companion/companions-page.js';
import type { useCompanions } from './companion/use-companions.js';
import { MemoriesPage } from './memories/memories-page.js';
import type { useLastForgotten } from './memories/use-last-forgotten.js';
import { OutreachPage } from './outreach/outreach-page.js';
import type { Page } from './page/page-in.js';
import { WhyPage } from './recall/why-page.js';
import type { SignedIn } from './session/use-session.js';
import { TasksPage } from './tasks/tasks-page.js';
import { ToolsPage } from './tools/tools-page.js';

interface FullPageProps {
  page: Exclude<Page, 'chat'>;
  session: SignedIn;
  companions: ReturnType<typeof useCompanions>;
  companion: CompanionView;
  talk: TalkChanges;
  last: ReturnType<typeof useLastForgotten>;
  now: Date;
  /** Called when talk is forgotten, or a forget is undone. */
  onForgotten: () => void;
  onSignOut: (words: string) => void;
}

/** Page that fills the room of the conversation. */
export function FullPage(props: FullPageProps) {
  const { session, companions, companion, talk, now } = props;
  const { api } = session;
  const { id: companionId, name } = companion;
  const { changes: talkChanges, forgets: talkForgets } = talk;
  const about = { api, companionId, name, talkChanges, now };
  switch (props.page) {
    case 'audit':
      return <AuditPage api={api} now={now} />;
    case 'companions':
      return (
        <CompanionsPage
          api={api}
          personId={session.personId}
          companions={companions.all}
          companionId={companionId}
          onChanged={companions.refresh}
        />
      );
    case 'outreach':
      return (
        <OutreachPage
          api={api}
          companions={companions.all}
          talkChanges={talkChanges}
          talkForgets={talkForgets + talk.gaps}
          now={now}
        />
      );
    case 'tasks':
      // Words of a task may be forgotten, by a change that was lost, too: they are not shown until all is read again.
      return <TasksPage key={`${companionId} ${talkForgets + talk.gaps}`} {...about} />;
    case 'tools':
      return <ToolsPage key={companionId} {...about} mayDecide={session.isOperator} />;
    case 'why':
      return <WhyPage key={companionId} {...about} />;
    case 'memories':
      return (
        <MemoriesPage
          key={companionId}
          {...about}
          talkForgets={talkForgets}
          last={props.last}
          onForgotten={props.onForgotten}
          onErased={props.onSignOut}
        />
      );
  }
}
