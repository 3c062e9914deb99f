/**
 * An API key's form: `kth_`, 32 random bytes in base64url, and six characters of checksum, so that a key
 * that was cut or mistyped is told from one that is unknown, and secret scanners can find one that leaked.
 */
const FORM = /^kth_([A-Za-z0-9_-]{43})([0-9a-z]{6})$/;
/** Holds most of a CRC of 32 bits in base 36; part of the form above. */
const CHECKSUM_DIGITS = 6;

/** Tells whether a text is an API key, or the beginning of one: a secret, wherever it was given for something else. */
export function looksLikeApiKey(text: string): boolean {
  return text.startsWith('kth_');
}

/** Writes 32 random bytes as an API key. */
export function formatApiKey(randomBytes: Uint8Array): string {
  if (randomBytes.length !== 32) throw new RangeError('an API key has 32 random bytes');
  const secret = Buffer.from(randomBytes).toString('base64url');
  return `kth_${secret}${checksum(secret)}`;
}

/** Tells whether a text has the form of an API key. Whether there is such a key is for the gateway to say. */
export function isWellFormedApiKey(key: string): boolean {
  const [, secret, sum] = FORM.exec(key) ?? [];
  return secret !== undefined && checksum(secret) === sum;
}

/** CRC-32 (IEEE 802.3) of the text, in base 36, its last six digits. */
function checksum(text: string): string {
  let crc = 0xffffffff;
  for (const character of text) {
    crc ^= character.charCodeAt(0);
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ((crc ^ 0xffffffff) >>> 0).toString(36).padStart(CHECKSUM_DIGITS, '0').slice(-CHECKSUM_DIGITS);
}
