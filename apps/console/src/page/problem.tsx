import type { JSX } from 'react';

/** Shows what went wrong, or nothing. */
export function Problem({ words }: { words: string | null }): JSX.Element | null {
  return words === null ? null : (
    <p className="problem" role="alert">
      {words}
    </p>
  );
}

/** Words for an error, fit to show. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : 'That did not work.';
}
