import { Bloom } from '../mood/bloom.js';
import { Button, LinkButton } from '../page/button.js';
import { Problem } from '../page/problem.js';
import './sign-in.css';

interface ChangeAccountProps {
  /** Reason why the link signed nobody in. */
  problem: string | null;
  mayUseLink: boolean;
  onAnswer: (change: boolean) => void;
}

/**
 * Asks before a sign-in link puts another account in the place of the one that is signed in. Where the link failed it
 * says so: whoever opened it would take the page of another for their own.
 */
export function ChangeAccount({ problem, mayUseLink, onAnswer }: ChangeAccountProps) {
  return (
    <main className="waiting" aria-label={problem === null ? 'Change accounts?' : 'The link did not work'}>
      <Bloom pad={null} />
      <Problem words={problem} />
      <p>
        {problem === null
          ? 'You are signed in here. The link you opened signs this browser in anew, maybe as somebody else: whoever sent it to you could read what you write then.'
          : 'This browser is signed in as before, maybe as somebody else than you meant.'}
      </p>
      <p className="change-account">
        <Button className="primary" autoFocus onClick={() => onAnswer(false)}>
          Stay signed in
        </Button>
        {mayUseLink && (
          <LinkButton onClick={() => onAnswer(true)}>
            {problem === null ? 'Use the link' : 'Try the link again'}
          </LinkButton>
        )}
      </p>
    </main>
  );
}
