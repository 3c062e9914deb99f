import type { CompanionView, Pad } from '@kith/contracts';
import { Bloom } from '../mood/bloom.js';
import { Button } from '../page/button.js';
import './empty-chat.css';

const OPENERS = [
  'I had a long day. Can I tell you about it?',
  'Please remember: my sister Ana visits in June.',
  'What do you remember about me?',
];

interface EmptyChatProps {
  companion: CompanionView;
  pad: Pad | null;
  onOpener: (text: string) => void;
}

/** Before the first word: who this is, and three ways to begin. */
export function EmptyChat({ companion, pad, onOpener }: EmptyChatProps) {
  return (
    <div className="empty-chat">
      <Bloom pad={pad} />
      <h2>This is {companion.name}.</h2>
      <p>{companion.tagline}</p>
      <ul aria-label="Ways to begin">
        {OPENERS.map((text) => (
          <li key={text}>
            <Button onClick={() => onOpener(text)}>{text}</Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
