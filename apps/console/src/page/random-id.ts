/** An id that nobody guesses. `crypto.randomUUID` is missing on pages served over plain HTTP, as at home they are. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
