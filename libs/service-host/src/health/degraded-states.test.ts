import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { DegradedStates } from './degraded-states.js';

const now = () => new Date('2026-01-01T00:00:00Z');
const nextTick = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('degraded states', () => {
  it('are told once, kept with their beginning, and left', async () => {
    const metrics = new Registry();
    const heard: string[] = [];
    const states = new DegradedStates(metrics, {
      now,
      onChange: ({ part }, isEntered) => heard.push(`${part} ${isEntered ? 'entered' : 'left'}`),
    });
    const apologies = { part: 'chat-model', effect: 'apologies' };
    expect(states.enter(apologies)).toBe(true);
    expect(states.enter(apologies)).toBe(false);
    expect(states.list()).toEqual([
      { part: 'chat-model', effect: 'apologies', since: '2026-01-01T00:00:00.000Z' },
    ]);
    expect(await metrics.metrics()).toContain('kith_degraded{part="chat-model"} 1');
    states.leave('chat-model');
    states.leave('chat-model');
    expect(states.list()).toEqual([]);
    expect(await metrics.metrics()).toContain('kith_degraded{part="chat-model"} 0');
    expect(heard).toEqual(['chat-model entered', 'chat-model left']);
  });

  it('begin anew when lacking the part comes to mean something else', () => {
    const states = new DegradedStates(new Registry());
    states.enter({ part: 'chat-model', effect: 'another model answers' });
    expect(states.enter({ part: 'chat-model', effect: 'apologies' })).toBe(true);
    expect(states.list()).toMatchObject([{ effect: 'apologies' }]);
  });

  it('are left by themselves when a probe finds the part again', async () => {
    const states = new DegradedStates(new Registry(), { probeEveryMs: 2 });
    let isThere = false;
    let asked = 0;
    const probe = async () => {
      asked += 1;
      if (!isThere) throw new Error('not yet');
    };
    states.enter({ part: 'embedding', effect: 'words alone', probe });
    await nextTick();
    expect(states.list()).toHaveLength(1);
    isThere = true;
    await nextTick();
    expect(states.list()).toEqual([]);
    const until = asked;
    await nextTick();
    expect(asked).toBe(until);
  });

  it('follow how the part serves whoever uses it', async () => {
    const states = new DegradedStates(new Registry());
    const part = { part: 'fast-model', effect: 'rules' };
    const broken = () => Promise.reject(new Error('down'));
    await expect(states.using(part, broken, () => false)).rejects.toThrow('down');
    expect(states.list()).toEqual([]);
    await expect(states.using(part, broken)).rejects.toThrow('down');
    expect(states.list()).toHaveLength(1);
    expect(await states.using(part, () => Promise.resolve(3))).toBe(3);
    expect(states.list()).toEqual([]);
  });
});
