import { Controller } from '@nestjs/common';
import {
  outreachContract,
  personalityContract,
  type OutreachSettings,
  type RequestOutput,
  type ResponseInput,
} from '@kith/contracts';
import { Handles } from '@kith/messaging';
import { SuiteState } from './suite-state.js';

/** Personality and outreach, as far as the commands ask them. */
@Controller()
export class CharacterDouble {
  constructor(private readonly state: SuiteState) {}

  @Handles(personalityContract.companion)
  onCompanion({ companionId }: RequestOutput<typeof personalityContract.companion>) {
    const traits = {
      openness: 0.8,
      conscientiousness: 0.5,
      extraversion: 0.4,
      agreeableness: 0.9,
      stability: 0.6,
    };
    const [name, tagline, description] = ['Mira', 'curious and warm', 'Likes rain.'];
    return { id: companionId, name, tagline, description, traits, timeZone: 'UTC', version: 1 };
  }

  @Handles(personalityContract.mood)
  onMood(): ResponseInput<typeof personalityContract.mood> {
    return { now: MOOD, baseline: { p: 0, a: 0, d: 0 }, halfLifeMs: 3_600_000, series: [], bond: null };
  }

  @Handles(outreachContract.settings)
  onSettings() {
    return {
      settings: this.state.settings,
      intentions: [],
      recent: [],
      outlook: { waitsFor: 'not opted in' as const, until: null, words: 'Not yet.' },
    };
  }

  @Handles(outreachContract.attempts)
  onAttempts({ limit }: RequestOutput<typeof outreachContract.attempts>) {
    return { attempts: this.state.attempts.slice(0, limit), nextCursor: null };
  }

  @Handles(outreachContract.change)
  onChange({ change }: RequestOutput<typeof outreachContract.change>): OutreachSettings {
    const { channel, ...rest } = change as Omit<Partial<OutreachSettings>, 'channel'> & {
      channel?: string | null;
    };
    const place =
      channel === undefined ? {} : { channel: channel === null ? null : { id: channel, problem: null } };
    this.state.settings = { ...this.state.settings, ...rest, ...place };
    return this.state.settings;
  }
}

export const MOOD = { pad: { p: 0.4, a: 0.1, d: 0 }, label: 'relaxed', strength: 'moderately' };
