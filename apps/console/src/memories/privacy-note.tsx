import type { RouteClient } from '@kith/contracts';
import { LinkButton } from '../page/button.js';
import { usePrivacy } from './use-privacy.js';

interface PrivacyNoteProps {
  api: RouteClient;
  /** Number of times that private talk may have been switched elsewhere. */
  talkChanges: number;
  /** Opens the page with its switch. */
  onSwitch: () => void;
}

/** Says beside the talk that none of it is remembered: private talk may have been switched on long ago, at any door. */
export function PrivacyNote({ api, talkChanges, onSwitch }: PrivacyNoteProps) {
  const { view, problem } = usePrivacy(api, talkChanges);
  // The element stays, or a screen reader would not tell what comes into it.
  return (
    <p className="privacy-note" role="status">
      {/* It may be off by now where it can't be read again, and a note that is wrong then has them tell a secret. */}
      {problem === null && view?.private === true && (
        <>
          You talk in private: nothing you say is remembered.{' '}
          <LinkButton onClick={onSwitch}>Change it</LinkButton>
        </>
      )}
    </p>
  );
}
