import type { CompanionView } from '@kith/contracts';
import { ChatView } from './chat/chat-view.js';
import type { useChat } from './chat/use-chat.js';
import type { useExplainedReply } from './chat/use-explained-reply.js';
import type { VisibleItem } from './chat/visible-items.js';
import { PrivacyNote } from './memories/privacy-note.js';
import { MoodPanel } from './mood/mood-panel.js';
import type { useMood } from './mood/use-mood.js';
import { RecallPanel } from './recall/recall-panel.js';
import type { SignedIn } from './session/use-session.js';

interface RoomsProps {
  session: SignedIn;
  companion: CompanionView;
  chat: ReturnType<typeof useChat>;
  items: VisibleItem[];
  explained: ReturnType<typeof useExplainedReply>;
  mood: ReturnType<typeof useMood>;
  talkChanges: number;
  now: Date;
  /** Called when the person wants to see why a reply was given. */
  onExplain: () => void;
  onMemories: () => void;
}

/** The conversation, and beside it what goes on in the companion. */
export function Rooms(props: RoomsProps) {
  const { companion, chat, explained, mood, now } = props;
  const { api, personId } = props.session;
  return (
    <main className="rooms">
      <ChatView
        key={companion.id}
        personId={personId}
        chat={chat}
        companion={companion}
        items={props.items}
        now={now}
        pad={mood.course?.now.pad ?? null}
        selectedTurnId={explained.reply?.turnId ?? null}
        onSelect={(turnId) => {
          explained.choose(turnId);
          props.onExplain();
        }}
      >
        <PrivacyNote api={api} talkChanges={props.talkChanges} onSwitch={props.onMemories} />
      </ChatView>
      <aside className="mind" aria-label={`${companion.name}'s mind`}>
        <MoodPanel api={api} mood={mood} companion={companion} now={now} />
        <RecallPanel name={companion.name} explained={explained} now={now} />
      </aside>
    </main>
  );
}
