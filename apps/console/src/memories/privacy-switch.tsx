import { memoryRoutes, type RouteClient } from '@kith/contracts';
import { Problem } from '../page/problem.js';
import { usePrivacy } from './use-privacy.js';

interface PrivacySwitchProps {
  api: RouteClient;
  /** Number of times that private talk may have been switched elsewhere. */
  talkChanges: number;
}

/** Switch between talk that is remembered and talk that is not; it can be used once its state was read. */
export function PrivacySwitch({ api, talkChanges }: PrivacySwitchProps) {
  const { view: privacy, problem, retry, act, show } = usePrivacy(api, talkChanges);
  const change = (isPrivate: boolean): void =>
    void act('privacy', async () =>
      show(await api.call(memoryRoutes.changePrivacy, { body: { private: isPrivate } })),
    );
  // It has its place from the start: what lies below must not move away under a click.
  return (
    <>
      <label className="privacy hint">
        <input
          type="checkbox"
          checked={privacy?.private ?? false}
          disabled={privacy === null}
          onChange={(event) => change(event.target.checked)}
        />{' '}
        {privacy?.private
          ? 'Private: nothing you say is remembered'
          : 'Talk in private, without being remembered'}
      </label>
      <Problem words={problem} onRetry={retry} />
    </>
  );
}
