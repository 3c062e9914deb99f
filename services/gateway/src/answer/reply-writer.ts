import { setImmediate as loopTurn } from 'node:timers/promises';
import { cutText, storableText } from '@kith/contracts';
import type { ModelRequest, ModelRole, RoleReply } from '@kith/llm';
import { step } from '@kith/service-host';
import { LinkFilter, plainLinks } from '../safety/plain-links.js';

/** Hears tokens as they come. */
export interface TokenListener {
  onToken(text: string): void;
  onRestart(): void;
}

/** Time for which tokens after the first are bundled, so that a fast model does not become a thousand broadcasts. */
const BUNDLE_MS = 25;
/** Longest reply: no door shows more. */
const MAX_REPLY_CHARACTERS = 8_000;
/** Mark behind a reply that was cut. */
const CUT = ' […]';

/** Asks a model and sends its words on as they come. */
export class ReplyWriter {
  firstTokenMs: number | null = null;
  private hasSpoken = false;
  private readonly started = performance.now();
  private readonly links: LinkFilter;
  /** Words that wait to be sent with the next ones. */
  private bundle = '';
  private lastToldAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly role: ModelRole,
    private readonly linkHosts: readonly string[],
    private readonly listener: TokenListener,
  ) {
    this.links = new LinkFilter(linkHosts);
  }

  /** Asks once. Returns the reply with its text as it may be stored and shown. */
  async ask(request: ModelRequest): Promise<RoleReply> {
    for await (const event of this.role.stream(request)) {
      if (event.type === 'text') {
        const hadTold = this.hasTold;
        this.speak(event.text);
        // The first words are written to whoever waits before the rest is read: a fast model sends much at once.
        if (this.hasTold && !hadTold) await loopTurn();
      } else if (event.type === 'restart') this.restart();
      else {
        const { text, finishReason } = event.result;
        // One stray byte of a model must not cost the whole turn.
        const plain = plainLinks(storableText(text).trim(), this.linkHosts);
        return { ...event.result, text: markCut(plain, finishReason === 'length') };
      }
    }
    throw new Error('a chain ends with a reply or an error');
  }

  private get hasTold(): boolean {
    return this.lastToldAt > Number.NEGATIVE_INFINITY;
  }

  /** Takes back the words sent so far: they were thinking aloud, not the answer. */
  takeBack(): void {
    if (this.hasSpoken) this.restart();
  }

  /** Sends a text that was written before and taken back. */
  say(text: string): void {
    this.speak(text);
    this.end();
  }

  /** Sends the words that still wait. */
  end(): void {
    this.bundle += this.links.end();
    this.tell();
  }

  private speak(text: string): void {
    if (this.firstTokenMs === null) {
      step('streaming');
      this.firstTokenMs = Math.round(performance.now() - this.started);
    }
    this.hasSpoken = true;
    this.bundle += this.links.push(text);
    if (performance.now() - this.lastToldAt >= BUNDLE_MS) this.tell();
  }

  private tell(): void {
    if (this.bundle === '') return;
    this.listener.onToken(this.bundle);
    this.bundle = '';
    this.lastToldAt = performance.now();
  }

  private restart(): void {
    this.hasSpoken = false;
    this.links.drop();
    this.bundle = '';
    this.listener.onRestart();
  }
}

/** Marks a reply that was cut by the model's limit of tokens or our limit of characters. */
function markCut(text: string, isCut: boolean): string {
  if (text.length > MAX_REPLY_CHARACTERS) {
    return `${cutText(text, MAX_REPLY_CHARACTERS - CUT.length)}${CUT}`;
  }
  return isCut && text !== '' ? `${text}${CUT}` : text;
}
