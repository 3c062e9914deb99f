import { LinkButton } from './button.js';

interface ProblemProps {
  words: string | null;
  /** True while there is nothing to show yet: it says so until something goes wrong. */
  isLooking?: boolean;
  /** Tries again; undefined where that can't help. */
  onRetry?: (() => void) | undefined;
}

/** Shows what went wrong, or that something is being read, or nothing. */
export function Problem({ words, isLooking = false, onRetry }: ProblemProps) {
  if (words === null) return isLooking && <p role="status">Looking …</p>;
  return (
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
