import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '@kith/database';
import { type FreshStores, ifStarted, freshDatabase, type FreshDatabase } from '@kith/testing';
import { utcDay } from '../e2e/personality-suite.js';
import { ReflectionRecords } from './reflection-records.js';

let stores: FreshStores;
let database: Database;
let stop: FreshDatabase['stop'];

beforeAll(async () => {
  ({ stores, database, stop } = await freshDatabase());
});

afterAll(() => ifStarted(stop)?.());

describe('nights', () => {
  it('come one at a time for each companion, and side by side for two', async () => {
    const [one, other] = [new ReflectionRecords(database), new ReflectionRecords(database)];
    const ran: string[] = [];
    await one.alone('mira', async () => {
      expect(await other.alone('mira', async () => void ran.push('mira again'))).toBe(false);
      expect(await other.alone('bo', async () => void ran.push('bo'))).toBe(true);
    });
    expect(ran).toEqual(['bo']);
    expect(await other.alone('mira', async () => void ran.push('mira later'))).toBe(true);
  });

  it('keep a step and its mark together', async () => {
    const records = new ReflectionRecords(database);
    expect(await records.begin('mira', '2026-05-04')).toEqual(new Set());
    const broken = { text: 'x', sources: [{ number: 1, turnId: 'no id', personId: 'no id' }] };
    await expect(records.saveDiary(utcDay('2026-05-04'), () => broken)).rejects.toThrow();
    expect(await stores.query('SELECT 1 FROM diary_entries')).toEqual([]);
    await records.saveNote('mira', '2026-05-04', 'A note.');
    expect(await records.begin('mira', '2026-05-04')).toEqual(new Set(['note']));
  });
});
