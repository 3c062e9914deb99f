import { useEffect } from 'react';
import { Console } from './console.js';
import { Bloom } from './mood/bloom.js';
import { LinkButton } from './page/button.js';
import { keepFocus } from './page/keep-focus.js';
import { dropWordsOfOthers } from './page/tab-store.js';
import { ChangeAccount } from './session/change-account.js';
import { SignIn } from './session/sign-in.js';
import { useSession } from './session/use-session.js';

/** Signs in, then shows the console. */
export function App() {
  const { session, signIn, signOut, refuseKey, answer } = useSession();
  useEffect(keepFocus, []);
  const isOut = session.kind === 'signed-out';
  const personId = session.kind === 'signed-in' ? session.personId : null;
  useEffect(() => {
    // Unsent messages and drafts stay in the browser while the same person is signed in, also with a new key.
    if (isOut || personId !== null) dropWordsOfOthers(personId);
  }, [isOut, personId]);
  switch (session.kind) {
    case 'signed-out':
      return <SignIn problem={session.problem} onSignIn={signIn} />;
    case 'asking':
      return <ChangeAccount problem={session.problem} mayUseLink={session.code !== null} onAnswer={answer} />;
    case 'redeeming':
    case 'checking': {
      const problem = session.kind === 'checking' ? session.problem : null;
      return (
        <main className="waiting" role="status">
          <Bloom pad={null} />
          <p>{problem === null ? 'One moment …' : `${problem} Trying again …`}</p>
          {problem !== null && <LinkButton onClick={() => signOut()}>Use another key</LinkButton>}
        </main>
      );
    }
    case 'signed-in':
      return <Console key={session.key} session={session} onSignOut={signOut} onKeyRefused={refuseKey} />;
  }
}
