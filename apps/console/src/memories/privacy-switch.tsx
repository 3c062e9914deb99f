import { memoryRoutes, type Privacy, type RouteClient } from '@kith/contracts';
import { useEffect, useState, type JSX } from 'react';
import { useRecoveries } from '../api/recoveries.js';

/** Switch between talk that is remembered and talk that is not; it can be used once its state was read. */
export function PrivacySwitch({ api }: { api: RouteClient }): JSX.Element {
  const [privacy, setPrivacy] = useState<Privacy | null>(null);
  const recoveries = useRecoveries();
  useEffect(() => {
    api.call(memoryRoutes.privacy).then(setPrivacy, () => undefined);
  }, [api, recoveries]);
  const change = (isPrivate: boolean): void => {
    api.call(memoryRoutes.changePrivacy, { body: { private: isPrivate } }).then(setPrivacy, () => undefined);
  };
  // It has its place from the start: what lies below must not move away under a click.
  return (
    <label className="privacy">
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
  );
}
