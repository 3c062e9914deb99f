import { AppError } from '@kith/contracts/app-error';

/** Limits on reading one document. Whatever goes beyond one is refused with its name. */
export const LIMITS = {
  // The largest book we were given (700 KB of HTML) is read in one second on a slow core.
  timeMs: 15_000,
  // The reader itself takes 90 MB, and its container leaves 256 MB beside the service.
  memoryMb: 256,
  // A page of a scanned book inflates to a few megabytes; text never comes near.
  inflatedMb: 64,
  // Browsers nest no deeper.
  depth: 512,
  // Each page with text is a part of its own, and so many parts fit.
  pages: 2_000,
  // A PDF places words, at worst letters, one by one.
  pieces: 500_000,
  // Two thousand parts of nine hundred characters.
  characters: 1_800_000,
  parts: 2_000,
};

/** Makes the refusal of a document that goes beyond a limit. */
export function beyond(limit: keyof typeof LIMITS, found?: number): AppError {
  const most = LIMITS[limit].toLocaleString('en');
  const words: Record<keyof typeof LIMITS, string> = {
    timeMs: `reading it takes longer than ${LIMITS.timeMs / 1_000} seconds`,
    memoryMb: `reading it takes more than ${most} MB of memory`,
    inflatedMb: `what is compressed in it inflates to more than ${most} MB`,
    depth: `its elements are nested deeper than ${most} levels`,
    pages: `it has ${found?.toLocaleString('en')} pages, and ${most} fit`,
    pieces: `a PDF may place ${most} pieces of text, and it has more`,
    characters: `it has more than ${most} characters of text`,
    parts: `it has ${found?.toLocaleString('en')} parts, and ${most} fit`,
  };
  return refused(words[limit], { limit });
}

/** Makes the refusal of a document. */
export function refused(message: string, details: Record<string, unknown> = {}, cause?: unknown): AppError {
  return new AppError('invalid_request', message, { field: 'content', ...details }, { cause });
}
