import type { CompanionView, SuiteHealth } from '@kith/contracts';
import type { ConnectionStatus } from './chat/chat-socket.js';
import { Button, LinkButton } from './page/button.js';
import { PAGES, type Page } from './page/page-in.js';

interface TopBarProps {
  displayName: string;
  companions: CompanionView[];
  companionId: string;
  status: ConnectionStatus;
  models: SuiteHealth['models'] | null;
  isMindOpen: boolean;
  page: Page;
  /** Pages for operators that this person may not open. */
  closedPages: ReadonlySet<Page>;
  onChoose: (id: string) => void;
  onMind: () => void;
  onPage: (page: Page) => void;
  onSignOut: () => void;
}

/** Shows who talks to whom and how the connection is; has the way out. */
export function TopBar(props: TopBarProps) {
  const { companions, companionId, status } = props;
  return (
    <header className="top">
      <h1 className="wordmark">kith</h1>
      {companions.length > 1 && (
        <select
          className="picker"
          aria-label="Companion"
          value={companionId}
          onChange={(event) => props.onChoose(event.target.value)}
        >
          {companions.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      <span className="status" data-status={status} role="status" aria-label="Connection">
        {status === 'ready' ? 'connected' : status}
      </span>
      {props.models && (
        <span className="badge" title={explainModels(props.models)}>
          {props.models.rehearsal ? 'rehearsal' : props.models.chat[0]}
        </span>
      )}
      <nav className="pages" aria-label="Pages">
        {PAGES.filter(([page]) => !props.closedPages.has(page)).map(([page, label]) => (
          <LinkButton
            key={page}
            aria-current={props.page === page ? 'page' : undefined}
            onClick={() => props.onPage(page)}
          >
            {label}
          </LinkButton>
        ))}
      </nav>
      {props.page === 'chat' && (
        <Button className="mind-toggle" aria-pressed={props.isMindOpen} onClick={props.onMind}>
          {props.isMindOpen ? 'Hide mind' : 'Mind'}
        </Button>
      )}
      <span className="account">
        {/* By its own direction, it is its end that is cut where it is too long. */}
        <span className="who" dir="auto" title={props.displayName}>
          {props.displayName}
        </span>
        <LinkButton onClick={props.onSignOut}>Sign out</LinkButton>
      </span>
    </header>
  );
}

/** The badge's tooltip: what answers, in which order, and what an operator should know of it. */
function explainModels({ chat, rehearsal, notes }: SuiteHealth['models']): string {
  const answering = rehearsal
    ? 'No model is set, so an offline stand-in answers. Memory and mood are real. The README says how to set a model.'
    : `Answering: ${chat.join(', then ')}.`;
  return [answering, ...notes].join('\n');
}
