import { describe, expect, it } from '@jest/globals';
import { jobsContract, type RecurringJobName } from '@kith/contracts';
import { eventually } from '@kith/testing';
import { PARTS, type Parts } from '../parts.js';
import {
  companion,
  others,
  stores,
  scheduler,
  messenger,
  runOf,
  runUntil,
  severalScans,
  overview,
  allow,
  hello,
} from './open-scheduler.js';

/** Tests jobs that recur: when they run, how they end and how they are steered. */
export function recurringJobs(): void {
  describe('what recurs', () => {
    const view = async (name: RecurringJobName) =>
      (await messenger.ask(jobsContract.list, {})).jobs.find((job) => job.name === name)!;

    it('tells when it ran last, how that ended and when it comes next', async () => {
      // The next one may be due already, and wait for this process.
      const ran = await eventually('a scan, with the next one ahead', async () => {
        const job = await view('outreach');
        const isAhead = Date.parse(job.nextRunAt!) > Date.parse(job.lastStartedAt!);
        return job.lastOutcome === 'ok' && isAhead && job;
      });
      expect(ran).toMatchObject({ schedule: 'every 1 s', paused: false, lastError: null });
      expect(await view('retention')).toMatchObject({ schedule: '05:40 (UTC)' });
      expect(Date.parse((await view('retention')).nextRunAt!)).toBeGreaterThan(Date.now());
    });

    it('stands still while it is held, and runs when it is asked to all the same', async () => {
      expect(await messenger.ask(jobsContract.steer, { name: 'retention', action: 'pause' })).toMatchObject({
        paused: true,
      });
      await stores.query(
        `UPDATE recurring_jobs SET last_ok_at = NULL, last_outcome = NULL WHERE name = 'retention'`,
      );
      const before = others.retains;
      await messenger.enqueue(jobsContract.recur, { name: 'retention' });
      await severalScans();
      expect(others.retains).toBe(before);
      await messenger.ask(jobsContract.steer, { name: 'retention', action: 'run' });
      await eventually('it ran', async () => {
        const isOver = (await view('retention')).lastOutcome === 'ok';
        return isOver && others.retains === before + 1;
      });
      expect(await messenger.ask(jobsContract.steer, { name: 'retention', action: 'resume' })).toMatchObject({
        paused: false,
      });
    });

    it('lets go of what has had its time once a day, also where nothing ran at its hour', async () => {
      const { recurring } = scheduler.get<Parts>(PARTS);
      await eventually('nothing is under way', async () => (await view('retention')).lastOutcome === 'ok');
      const at = (time: string) => new Date(`2027-02-10T${time}:00Z`);
      const tick = (time: string) => recurring.run({ name: 'retention', asked: false }, at(time));
      await stores.query(
        `UPDATE recurring_jobs SET last_ok_at = '2027-02-08T05:40:00Z' WHERE name = 'retention'`,
      );
      const before = others.retains;
      for (const time of ['09:00', '09:05', '23:55']) await tick(time);
      await eventually('it ran', () => others.retains > before);
      await severalScans();
      expect(others.retains).toBe(before + 1);
    });

    it('has old talk let go of also where old outreach can not be', async () => {
      const before = others.retains;
      await stores.query('REVOKE DELETE ON intentions FROM kith_app');
      const { recurring } = scheduler.get<Parts>(PARTS);
      const run = recurring.run({ name: 'retention', asked: true }, new Date());
      await expect(run).rejects.toThrow();
      await stores.query('GRANT DELETE ON intentions TO kith_app');
      await eventually('it was asked for', () => others.retains > before);
    });

    it('goes well also where somebody whom it is about is being erased', async () => {
      const personId = await hello();
      await allow(personId);
      await stores.query(`INSERT INTO erasures (erased_id, asked_by) VALUES ($1, 'person')`, [personId]);
      others.playUrgency = 0.8;
      await runOf('interests');
      others.playUrgency = 0;
      expect(await view('interests')).toMatchObject({ lastOutcome: 'ok', lastError: null });
      expect((await overview(personId)).intentions).toEqual([]);
    });

    it('is noted when it fails, with the reason, and is tried again', async () => {
      others.isMemoryDown = true;
      others.companions.push({ ...companion, id: 'nell' });
      const failed = await runUntil('consolidation', 'it failed', async () => {
        const job = await view('consolidation');
        return job.lastOutcome === 'failed' && job;
      });
      expect(failed.lastError).toBe('unavailable: memory is down');
      others.isMemoryDown = false;
      await eventually('it went well', async () => (await view('consolidation')).lastOutcome === 'ok');
    });
  });
}
