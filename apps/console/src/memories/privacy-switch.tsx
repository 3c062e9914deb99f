import { memoryRoutes, type Privacy, type RouteClient } from '@kith/contracts';
import { useEffect, useState, type JSX } from 'react';

/** Switch between talk that is remembered and talk that is not. */
export function PrivacySwitch({ api }: { api: RouteClient }): JSX.Element | null {
  const [privacy, setPrivacy] = useState<Privacy | null>(null);
  useEffect(() => {
    api.call(memoryRoutes.privacy).then(setPrivacy, () => undefined);
  }, [api]);
  if (privacy === null) return null;
  const change = (isPrivate: boolean): void => {
    api.call(memoryRoutes.changePrivacy, { body: { private: isPrivate } }).then(setPrivacy, () => undefined);
  };
  return (
    <label className="privacy">
      <input type="checkbox" checked={privacy.private} onChange={(event) => change(event.target.checked)} />{' '}
      {privacy.private
        ? 'Private: nothing you say is remembered'
        : 'Talk in private, without being remembered'}
    </label>
  );
}
