import { describe, expect, it } from '@jest/globals';
import { useScriptedApi } from '../e2e/scripted-api.js';
import { planChange } from './plan-change.js';

const { api, cli } = useScriptedApi();

describe('planChange', () => {
  it('changes what was said and nothing else', () => {
    expect(planChange({ on: true, zone: 'Europe/Berlin', quietFrom: '22:00', cap: 2 })).toEqual({
      optedIn: true,
      timeZone: 'Europe/Berlin',
      quietFrom: '22:00',
      dailyCap: 2,
    });
    expect(planChange({ zone: 'new york', weeklyCap: 3, topicsOff: ' work, my ex,' })).toEqual({
      timeZone: 'America/New_York',
      weeklyCap: 3,
      topicsOff: ['work', 'my ex'],
    });
    expect(planChange({ topicsOff: '' })).toEqual({ topicsOff: [] });
    expect(planChange({ off: true })).toEqual({ optedIn: false });
    expect(planChange({})).toBeNull();
  });

  it.each([
    [{ on: true, off: true }, 'not both'],
    [{ zone: 'Berln' }, '--zone: not a time zone: did you mean Europe/Berlin'],
    [{ zone: 'Middle/Earth' }, '--zone: not a time zone'],
    [{ quietFrom: '25:00' }, '--quiet-from: a time such as'],
    [{ cap: 99 }, '--cap: at most 10'],
    [{ cap: 1.5 }, '--cap: a whole number'],
    [{ cap: 99, weeklyCap: -1 }, '--cap: at most 10; --weekly-cap: at least 0'],
    [{ topicsOff: 'x' }, '--topics-off: at least two letters'],
  ])('refuses %j in one line', (options, message) => {
    expect(() => planChange(options)).toThrow(expect.objectContaining({ exitCode: 2 }));
    expect(() => planChange(options)).toThrow(message);
    expect(() => planChange(options)).not.toThrow(/\n/);
  });
});

describe('kith outreach', () => {
  it.each([
    ['22:00', '08:00', 'never between 22:00 and 08:00 (UTC)'],
    ['08:00', '08:00', 'at any hour (UTC)'],
  ])('words the quiet hours from %s to %s', async (quietFrom, quietUntil, words) => {
    const settings = {
      optedIn: true,
      direct: true,
      channel: null,
      timeZone: 'UTC',
      quietFrom,
      quietUntil,
      dailyCap: 1,
      weeklyCap: 5,
      topicsOff: [],
    };
    api.answers['PATCH /v1/me/outreach'] = () => ({ body: settings });
    expect(await cli(['outreach', '--on'])).toMatchObject({ code: 0, out: expect.stringContaining(words) });
  });
});

describe('kith outreach restrict', () => {
  it.each([
    [['--rest-until', '2026-12-01'], { restUntil: '2026-12-01T00:00:00.000Z' }],
    [['--rest-until', 'none'], { restUntil: null }],
    [['--age', 'minor'], { ageState: 'minor' }],
    [['--rest-until', 'soon'], '--rest-until: soon is not a day'],
    [['--rest-until', ''], '--rest-until:  is not a day'],
  ])('takes times as every command does: %j', async (flags, sent) => {
    const bodies: unknown[] = [];
    api.answers['PATCH /v1/people/ada/outreach'] = (body) => {
      bodies.push(JSON.parse(body));
      return { body: { ageState: 'unknown', restUntil: null } };
    };
    const ended = await cli(['outreach', 'restrict', 'ada', ...flags]);
    expect({ ...ended, bodies }).toMatchObject(
      typeof sent === 'string'
        ? { code: 2, notes: expect.stringContaining(sent), bodies: [] }
        : { code: 0, bodies: [sent] },
    );
  });
});
