/**
 * Links in what a model writes. A model may be talked into a link that leads elsewhere than it says. It may also be
 * talked into an address that holds secrets, which are given away once somebody's client fetches it. So an address
 * stands in full, never behind other words and never as a picture, and can be followed only where the operator allows
 * its host.
 */

/**
 * Scheme and mark of an address, before all of it up to a space: the end of less would pass for the address's end. No
 * registered scheme is longer, and a unit bounds the rest.
 */
const SCHEME = /([a-z][a-z0-9+.-]{0,30}):\/\/(?=(\S*))/gi;

/** Host and port of an address, then its path, its end, or the sentence's punctuation. No account, no escapes. */
const AUTHORITY = /^([a-z0-9.-]{1,253})(?::\d{1,5})?(?:[/?#]|[)\]}>*_~|"'.,;:!`]*$)/i;

const EMPTY_LABEL = /^\.|\.\./;

/** Discord makes a card of an invitation, with or without a scheme. */
const INVITATION = /(discord(?:app)?\.(?:gg|com|io|me|li))(?=[/\\])/gi;

/** Longest run of characters without a space. A longer one is neither a word nor an address, and gets a space. */
const MAX_UNIT_LENGTH = 1_024;
const PRINTABLE = /[!-~]/;
const UNIT = new RegExp(`^[!-~]{1,${MAX_UNIT_LENGTH}}`);
const ADDRESS_UNIT = new RegExp(`^\\S{1,${MAX_UNIT_LENGTH}}`, 'u');

/**
 * Makes links plain in a text that comes in pieces. What may still become part of an address is held back, a word as a
 * rule; however the text is cut, what comes out is the same.
 */
export class LinkFilter {
  private held = '';

  /** @param hosts where links may lead, in lower case, with their subdomains; `*` is anywhere */
  constructor(private readonly hosts: readonly string[]) {}

  /** Takes a piece of the text. Returns what can be told already. */
  push(text: string): string {
    this.held += text;
    return this.release(false);
  }

  /** Releases what was held back: the text is over. */
  end(): string {
    return this.release(true);
  }

  /** Drops what was held back: the text begins anew. */
  drop(): void {
    this.held = '';
  }

  private release(isEnd: boolean): string {
    let told = '';
    for (;;) {
      const begin = this.held.search(PRINTABLE);
      if (begin === -1) break;
      told += this.held.slice(0, begin);
      this.held = this.held.slice(begin);
      const unit = unitIn(this.held);
      if (unit.length === this.held.length && unit.length < MAX_UNIT_LENGTH && !isEnd) return told;
      told += this.plain(unit) + (unit.length >= MAX_UNIT_LENGTH ? ' ' : '');
      this.held = this.held.slice(unit.length);
    }
    told += this.held;
    this.held = '';
    return told;
  }

  /** Breaks links by inserting spaces: taking something out could join what stood around it to an address. */
  private plain(unit: string): string {
    return unit
      .replaceAll('](', '] (')
      .replaceAll(SCHEME, (mark: string, scheme: string, rest: string) =>
        this.isAllowed(scheme, rest) ? mark : `${scheme}: //`,
      )
      .replaceAll(INVITATION, (host: string) => (this.isAllowedHost(host.toLowerCase()) ? host : `${host} `));
  }

  private isAllowed(scheme: string, rest: string): boolean {
    const host = AUTHORITY.exec(rest)?.[1]?.toLowerCase();
    return host !== undefined && /^https?$/i.test(scheme) && this.isAllowedHost(host);
  }

  private isAllowedHost(host: string): boolean {
    // Clients differ in what they make of a host with an empty label.
    const isSubdomain = !EMPTY_LABEL.test(host);
    return this.hosts.some(
      (allowed) => allowed === '*' || host === allowed || (isSubdomain && host.endsWith(`.${allowed}`)),
    );
  }
}

/** Takes what stands at the beginning up to a space; only an address goes on after a letter beyond ASCII. */
function unitIn(text: string): string {
  const unit = UNIT.exec(text)?.[0] ?? '';
  return unit.includes('://') ? (ADDRESS_UNIT.exec(text)?.[0] ?? unit) : unit;
}

/** Makes the links of a whole text plain. */
export function plainLinks(text: string, hosts: readonly string[]): string {
  const filter = new LinkFilter(hosts);
  return filter.push(text) + filter.end();
}
