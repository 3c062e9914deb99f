import { outreachContract, personalityContract, type OutreachSettings } from '@kith/contracts';
import { handleContract } from '@kith/service-host';
import { STATE } from './suite-state.js';

const { companion, mood } = personalityContract;
const { settings, attempts, change, channelModes } = outreachContract;

export const MOOD = { pad: { p: 0.4, a: 0.1, d: 0 }, label: 'relaxed', strength: 'moderately' };

/** Personality and outreach, as far as the commands ask them. */
export const CharacterDouble = handleContract(
  { companion, mood, settings, attempts, change, channelModes },
  {},
  STATE,
  (state) => ({
    companion: ({ companionId }) => {
      const traits = {
        openness: 0.8,
        conscientiousness: 0.5,
        extraversion: 0.4,
        agreeableness: 0.9,
        stability: 0.6,
      };
      const [name, tagline, description] = ['Mira', 'curious and warm', 'Likes rain.'];
      return { id: companionId, name, tagline, description, traits, timeZone: 'UTC', version: 1 };
    },
    mood: () => ({
      now: MOOD,
      baseline: { p: 0, a: 0, d: 0 },
      halfLifeMs: 3_600_000,
      series: [],
      bond: null,
    }),
    settings: () => ({
      settings: state.settings,
      intentions: [],
      recent: [],
      outlook: { waitsFor: 'not opted in', until: null, words: 'Not yet.' },
    }),
    attempts: ({ limit }) => ({ attempts: state.attempts.slice(0, limit), nextCursor: null }),
    channelModes: () => ({
      channels: [...state.quietChannels].map((channelId) => ({ channelId, mode: 'off' as const })),
    }),
    change: (asked) => {
      const { channel, ...rest } = asked.change as Omit<Partial<OutreachSettings>, 'channel'> & {
        channel?: string | null;
      };
      const place =
        channel === undefined ? {} : { channel: channel === null ? null : { id: channel, problem: null } };
      state.settings = { ...state.settings, ...rest, ...place };
      return state.settings;
    },
  }),
);
