import { InvalidArgumentError } from '@commander-js/extra-typings';

export const FORCE_FLAG = ['--force', 'in the place of a file that is there'] as const;
export const COMPANION_FLAG = ['--companion <id>', 'which companion; the default one otherwise'] as const;

/** Reads a count. */
export function positive(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError('give a whole number, at least 1.');
  return number;
}

/** Reads a whole number, which may be below zero. */
export function whole(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(number))
    throw new InvalidArgumentError('give a whole number.');
  return number;
}
