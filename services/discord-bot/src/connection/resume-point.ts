import type { Logger } from 'pino';
import { SavedEverySecond } from '../places/saved-every-second.js';

/** A session with Discord's gateway: what another process needs to resume it. */
export interface DiscordSession {
  id: string;
  resumeUrl: string;
  /** The bot's own user id. */
  botId: string;
  /** Sequence number of the last event up to which all is accepted. */
  sequence: number;
}

/** Follows which of a session's events the gateway has accepted. */
export class SessionProgress {
  private latest: number;
  /** Events that are being handed over, in order. */
  private readonly open = new Set<number>();
  /** The first event that was not accepted: it has to be heard again. */
  private firstRefused = Infinity;

  constructor(private readonly session: DiscordSession) {
    this.latest = session.sequence;
  }

  /** Notes an event. `accepted` resolves once the gateway has its messages; with false if it must be received again. */
  heard(sequence: number, accepted: Promise<boolean>): void {
    this.latest = Math.max(this.latest, sequence);
    this.open.add(sequence);
    void accepted.then((isAccepted) => {
      this.open.delete(sequence);
      if (!isAccepted) this.firstRefused = Math.min(this.firstRefused, sequence);
    });
  }

  /** True once every event is accepted, so that nobody needs this session any more. */
  get isAllAccepted(): boolean {
    return this.open.size === 0 && this.firstRefused === Infinity;
  }

  get botId(): string {
    return this.session.botId;
  }

  /** The session, to be resumed after the last event up to which all is accepted. */
  get accepted(): DiscordSession {
    const [firstOpen = Infinity] = this.open;
    const sequence = Math.min(this.latest, firstOpen - 1, this.firstRefused - 1);
    return { ...this.session, sequence };
  }
}

/** Keeps the session and sequence from which the next process resumes; saves once a second. */
export class ResumePoint extends SavedEverySecond {
  private current: SessionProgress | null = null;
  /** The session before, while some of its events are not accepted yet. */
  private before: SessionProgress | null = null;
  private saved: DiscordSession | null = null;

  constructor(
    private readonly store: { saveSession(session: DiscordSession): Promise<void> },
    private readonly logger: Logger,
  ) {
    super();
  }

  /** Keeps this session from now on; first the one `before`, until all of its events are accepted. */
  follow(session: DiscordSession, before: SessionProgress | null = null): SessionProgress {
    this.current = new SessionProgress(session);
    this.before = before;
    void this.save();
    return this.current;
  }

  protected async saveNow(): Promise<void> {
    if (this.before?.isAllAccepted) this.before = null;
    const session = (this.before ?? this.current)?.accepted;
    if (!session || (session.id === this.saved?.id && session.sequence === this.saved.sequence)) return;
    try {
      await this.store.saveSession(session);
      this.saved = session;
    } catch (error) {
      this.logger.warn({ err: error }, 'session not saved yet');
    }
  }
}
