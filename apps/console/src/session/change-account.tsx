import type { JSX } from 'react';
import { Bloom } from '../mood/bloom.js';
import './sign-in.css';

/** Asks before a sign-in link puts another account in the place of the one that is signed in. */
export function ChangeAccount({ onAnswer }: { onAnswer: (change: boolean) => void }): JSX.Element {
  return (
    <main className="waiting" aria-label="Change accounts?">
      <Bloom pad={null} />
      <p>
        You are signed in here. The link you opened signs this browser in anew, maybe as somebody else:
        whoever sent it to you could read what you write then.
      </p>
      <p className="change-account">
        <button type="button" className="primary" autoFocus onClick={() => onAnswer(false)}>
          Stay signed in
        </button>
        <button type="button" className="link" onClick={() => onAnswer(true)}>
          Use the link
        </button>
      </p>
    </main>
  );
}
