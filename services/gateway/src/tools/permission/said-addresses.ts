/** Marks that join the parts of an address of the web, of mail, or of a path, as URLs and mail programs read them. */
const JOINTS = /[.。@:/\\]/u;
/** Marks around an address that are no part of it: `(see https://example.org/news/).` */
const AROUND = /[\s.,;:!?'"’“”„«»()[\]{}<>*_~/…，、。：；！？「」（）\p{Sc}%]/u;
/** Schemes that people leave out. */
const SCHEMES = ['https://', 'http://'];

/** Removes the marks before and behind an address. */
export function bareAddress(token: string): string {
  let start = 0;
  let end = token.length;
  while (start < end && AROUND.test(token.charAt(start))) start += 1;
  while (end > start && AROUND.test(token.charAt(end - 1))) end -= 1;
  return token.slice(start, end);
}

/** Tells whether something without white space may lead somewhere: `bob@example.org`, `example.org/news`, `12:30`. */
export function mayBeAddress(bare: string): boolean {
  // A full-width dot or at sign is one to whoever resolves it.
  return JOINTS.test(bare.normalize('NFKC'));
}

/** Makes the form in which addresses are compared: whole, but for what makes no other address of it. */
export function plainAddress(bare: string): string {
  const url = bare.includes('://') ? URL.parse(bare) : null;
  return bareAddress(url?.href ?? bare.toLowerCase());
}

/** Lists the addresses in somebody's own words, in their plain form; those of the web with their scheme and without. */
export function saidAddresses(text: string): string[] {
  // Nothing need be between a word and the address behind it where a language has no spaces.
  const tokens = [...text.split(/\s+/u), ...text.split(/\s+|(?=https?:\/\/)/iu)].map(bareAddress);
  return tokens.filter(mayBeAddress).flatMap((token) => {
    const scheme = SCHEMES.find((one) => token.toLowerCase().startsWith(one));
    if (scheme !== undefined) return [token, token.slice(scheme.length)].map(plainAddress);
    return [token, ...SCHEMES.map((one) => one + token)].map(plainAddress);
  });
}
