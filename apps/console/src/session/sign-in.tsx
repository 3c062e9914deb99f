import { useId, useState, type SubmitEvent } from 'react';
import { Bloom } from '../mood/bloom.js';
import { keepsKeys } from './key-store.js';
import './sign-in.css';

/** The first thing a stranger sees: what this is, and where the key goes. */
export function SignIn({ problem, onSignIn }: { problem: string | null; onSignIn: (key: string) => void }) {
  const [text, setText] = useState('');
  const [staysInBrowser] = useState(keepsKeys);
  const problemId = useId();

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    onSignIn(text.trim());
  }

  return (
    <main className="welcome">
      <div className="welcome-pitch">
        <div className="welcome-blooms">
          <Bloom pad={{ p: 0.7, a: 0.6, d: 0.5 }} />
          <Bloom pad={{ p: 0.2, a: -0.6, d: 0.2 }} />
          <Bloom pad={{ p: -0.6, a: 0.1, d: -0.5 }} />
        </div>
        <h1>
          Company that <em>remembers</em>.
        </h1>
        <ul>
          <li>It recalls what you said weeks ago, and shows you why it came to mind.</li>
          <li>It has moods of its own, and shows you what moved them.</li>
          <li>It lives on your machine, and forgets when you ask it to.</li>
        </ul>
      </div>
      <form className="sign-in" onSubmit={submit} aria-label="Sign in" noValidate>
        <p className="wordmark">kith</p>
        <label htmlFor="api-key">API key</label>
        <input
          id="api-key"
          type="password"
          placeholder="kth_…"
          autoComplete="off"
          autoFocus
          spellCheck={false}
          value={text}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : problemId}
          onChange={(event) => setText(event.target.value)}
        />
        {problem !== null && (
          <p className="sign-in-problem" role="alert" id={problemId}>
            {problem}
          </p>
        )}
        <button type="submit">Sign in</button>
        <p className="hint">
          <code>./scripts/up</code> and <code>npx kith login</code> print a link that signs you in, once. Or
          paste a key: <code>npx kith keys create --person NAME</code> makes one.{' '}
          {staysInBrowser
            ? 'It stays in this browser.'
            : 'This browser keeps nothing for this site: the key is kept for this page alone, until it is closed or loaded anew.'}
        </p>
      </form>
    </main>
  );
}
