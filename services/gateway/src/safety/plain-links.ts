/**
 * Links in what a model writes. A model may be talked into a link that leads elsewhere than it says, or into an address
 * that carries off what it knows once somebody's client fetches it. So an address stands in full, never behind other
 * words and never as a picture, and can be followed only where the operator allows its host.
 */

/** Scheme and mark of an address. No registered scheme is longer. */
const SCHEME = /([a-z][a-z0-9+.-]{0,30}):\/\/(?=(\S{0,300}))/gi;

/** Host and port of an address, then its path, its end, or the sentence's punctuation. No account, no escapes. */
const AUTHORITY = /^([a-z0-9.-]{1,253})(?::\d{1,5})?(?:[/?#]|[)\]}>*_~|"'.,;:!`]*$)/i;

/** Discord makes a card of an invitation, with or without a scheme. */
const INVITATION = /(discord(?:app)?\.(?:gg|com|io|me|li))(?=[/\\])/gi;

/** A longer run without a space is no word and no address to be followed: a space goes into it. */
const LONGEST_UNIT = 1_024;
const PRINTABLE = /[!-~]/;
const UNIT = new RegExp(`^[!-~]{1,${LONGEST_UNIT}}`);
const ADDRESS_UNIT = new RegExp(`^\\S{1,${LONGEST_UNIT}}`, 'u');

/**
 * Makes links plain in a text that comes in pieces. What may still become part of an address is held back, a word as a
 * rule; however the text is cut, what comes out is the same.
 */
export class LinkFilter {
  #held = '';

  /** @param hosts where links may lead, in lower case, with their subdomains; `*` is anywhere */
  constructor(private readonly hosts: readonly string[]) {}

  /** The text so far, as far as it can be told. */
  push(text: string): string {
    this.#held += text;
    return this.#release(false);
  }

  /** What was held back. */
  end(): string {
    return this.#release(true);
  }

  /** The text begins anew. */
  drop(): void {
    this.#held = '';
  }

  #release(isEnd: boolean): string {
    let told = '';
    for (;;) {
      const begin = this.#held.search(PRINTABLE);
      if (begin === -1) break;
      told += this.#held.slice(0, begin);
      this.#held = this.#held.slice(begin);
      const unit = unitIn(this.#held);
      if (unit.length === this.#held.length && unit.length < LONGEST_UNIT && !isEnd) return told;
      told += this.#plain(unit) + (unit.length >= LONGEST_UNIT ? ' ' : '');
      this.#held = this.#held.slice(unit.length);
    }
    told += this.#held;
    this.#held = '';
    return told;
  }

  /** Only ever inserts spaces: what is taken out could join what stood around it to an address. */
  #plain(unit: string): string {
    return unit
      .replaceAll('](', '] (')
      .replaceAll(SCHEME, (mark: string, scheme: string, rest: string) =>
        this.#isAllowed(scheme, rest) ? mark : `${scheme}: //`,
      )
      .replaceAll(INVITATION, (host: string) =>
        this.#isAllowedHost(host.toLowerCase()) ? host : `${host} `,
      );
  }

  #isAllowed(scheme: string, rest: string): boolean {
    const host = AUTHORITY.exec(rest)?.[1]?.toLowerCase();
    return host !== undefined && /^https?$/i.test(scheme) && this.#isAllowedHost(host);
  }

  #isAllowedHost(host: string): boolean {
    return this.hosts.some((allowed) => allowed === '*' || host === allowed || host.endsWith(`.${allowed}`));
  }
}

/** What stands at the beginning up to a space; only an address goes on after a letter beyond ASCII. */
function unitIn(text: string): string {
  const unit = UNIT.exec(text)?.[0] ?? '';
  return unit.includes('://') ? (ADDRESS_UNIT.exec(text)?.[0] ?? unit) : unit;
}

/** A whole text with its links made plain. */
export function plainLinks(text: string, hosts: readonly string[]): string {
  const filter = new LinkFilter(hosts);
  return filter.push(text) + filter.end();
}
