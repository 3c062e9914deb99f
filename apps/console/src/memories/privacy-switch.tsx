import type { Privacy } from '@kith/contracts';
import { useEffect, useState, type JSX } from 'react';
import type { ApiClient } from '../api/api-client.js';

/** Whether what is said is remembered. */
export function PrivacySwitch({ api }: { api: ApiClient }): JSX.Element | null {
  const [privacy, setPrivacy] = useState<Privacy | null>(null);
  useEffect(() => {
    api.privacy().then(setPrivacy, () => undefined);
  }, [api]);
  if (privacy === null) return null;
  return (
    <label className="privacy">
      <input
        type="checkbox"
        checked={privacy.private}
        onChange={(event) => void api.changePrivacy(event.target.checked).then(setPrivacy, () => undefined)}
      />{' '}
      {privacy.private
        ? 'Private: nothing you say is remembered'
        : 'Talk in private, without being remembered'}
    </label>
  );
}
