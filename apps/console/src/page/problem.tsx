import { LinkButton } from './button.js';

interface ProblemProps {
  words: string | null;
  /** Tries again; undefined where that can't help. */
  onRetry?: (() => void) | undefined;
}

/** Shows what went wrong, or nothing. */
export function Problem({ words, onRetry }: ProblemProps) {
  return words === null ? null : (
    <p className="problem" role="alert">
      {words}
      {onRetry && (
        <>
          {' '}
          <LinkButton onClick={onRetry}>Try again</LinkButton>
        </>
      )}
    </p>
  );
}

/** Words for an error, fit to show. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : 'That did not work.';
}
