import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import { inDays, orderOf, type Upkeep } from './upkeep.js';

/** Tests orders to leave places and to return to them. */
export function placeOrders({ talk, serverOf }: Upkeep): void {
  describe('retention', () => {
    describe('orders of one server', () => {
      it('carry out nothing once a later one was given', async () => {
        const { orders, heard, server, places, isLeft } = await serverOf(1);
        const returning = orderOf(server, places, 2);
        await orders.returnTo(returning);
        heard.length = 0;
        await orders.leave(orderOf(server, places, 1));
        // Of the same moment the one to return counts.
        await orders.leave(returning);
        expect([await isLeft(), heard]).toEqual([[false], []]);
        await orders.leave(orderOf(server, places, 4));
        await orders.returnTo(orderOf(server, places, 3));
        expect(await isLeft()).toEqual([true]);
        expect(heard).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ left: true })));
      });

      it('return to all of its places, also to those that the door does not know any more', async () => {
        const { retention, orders, heard, server, places, isLeft } = await serverOf(2);
        await orders.leave(orderOf(server, places.slice(0, 1), 0));
        await orders.leave(orderOf(server, places.slice(1), 0));
        expect(await isLeft()).toEqual([true, true]);
        heard.length = 0;
        await orders.returnTo(orderOf(server, places.slice(0, 1), 1));
        const audiences = expect.arrayContaining(places.map((place) => `channel:discord:${place}`));
        expect(heard).toEqual(Array.from({ length: 3 }, () => ({ audiences, left: false })));
        await retention.run(inDays(9));
        expect(await isLeft()).toEqual([false, false]);
      });

      it('are carried out one at a time', async () => {
        const asked: boolean[] = [];
        const { orders, server, places } = await serverOf(1, async ({ left }) => {
          asked.push(left);
          await new Promise((resolve) => setTimeout(resolve, 20));
        });
        const leaving = orders.leave(orderOf(server, places, 0));
        await eventually('the order to leave', () => asked.length > 0);
        await Promise.all([leaving, orders.returnTo(orderOf(server, places, 1))]);
        expect(asked).toEqual([true, true, true, false, false, false]);
      });

      it.each([
        ['to leave', true],
        ['to return', false],
      ])('%s is gone on with where it was broken off, until every service knows', async (_, left) => {
        const services = { isDown: true };
        const { orders, heard, server, places, isLeft } = await serverOf(1, async (asked) => {
          if (services.isDown && asked.left === left) throw new Error('a service is away');
        });
        const order = orderOf(server, places, -1);
        if (!left) await orders.leave({ ...order, at: inDays(-2).toISOString() });
        await expect(left ? orders.leave(order) : orders.returnTo(order)).rejects.toThrow('away');
        expect(await orders.resume()).toBe(1);
        services.isDown = false;
        heard.length = 0;
        expect(await orders.resume()).toBe(1);
        expect(heard).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ left })));
        expect(await isLeft()).toEqual([left]);
        expect(await orders.resume()).toBe(0);
      });

      it('that a later one overtook are gone on with no more', async () => {
        const services = { isDown: true };
        const { orders, heard, server, places, isLeft } = await serverOf(1, async ({ left }) => {
          if (services.isDown && left) throw new Error('a service is away');
        });
        await expect(orders.leave(orderOf(server, places, -2))).rejects.toThrow('away');
        await orders.returnTo(orderOf(server, places, -1));
        services.isDown = false;
        heard.length = 0;
        expect([await orders.resume(), heard, await isLeft()]).toEqual([0, [], [false]]);
      });

      it('leave a later one open that was given once they had lost their lock', async () => {
        let meanwhile: (() => Promise<unknown>) | undefined;
        const services = { isDown: true };
        const { orders, server, places, isLeft } = await serverOf(1, async ({ left }) => {
          if (services.isDown && !left) throw new Error('a service is away');
          const once = meanwhile;
          meanwhile = undefined;
          await once?.();
        });
        meanwhile = async () => {
          await talk.stores.query(
            `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted`,
          );
          await expect(orders.returnTo(orderOf(server, places, -1))).rejects.toThrow('away');
        };
        await orders.leave(orderOf(server, places, -2));
        services.isDown = false;
        expect(await orders.resume()).toBe(1);
        expect(await isLeft()).toEqual([false]);
      });

      it('go when their time is over', async () => {
        const { retention, orders, server, places } = await serverOf(1);
        const noted = () => talk.stores.query('SELECT 1 FROM place_orders WHERE within = $1', [server]);
        await orders.leave(orderOf(server, places, 0));
        await retention.run(inDays(6));
        expect(await noted()).toHaveLength(1);
        await retention.run(inDays(8));
        expect(await noted()).toEqual([]);
      });

      it('end only when every service knows of them, and then with all of their places', async () => {
        let onLeave = async () => undefined as unknown;
        const { retention, orders, heard, server, places } = await serverOf(1, async ({ left }) => {
          if (left) await onLeave();
        });
        // It has its time just as the first service hears of it.
        onLeave = async () => {
          onLeave = async () => undefined;
          await retention.run(inDays(8));
        };
        const silent = randomUUID();
        await orders.leave(orderOf(server, [...places, silent], 0));
        const there = await talk.stores.query('SELECT 1 FROM place_orders WHERE within = $1', [server]);
        expect(there).toHaveLength(1);
        heard.length = 0;
        await retention.run(inDays(8));
        const audiences = expect.arrayContaining(
          [...places, silent].map((place) => `channel:discord:${place}`),
        );
        expect(heard).toEqual(Array.from({ length: 3 }, () => ({ audiences, left: false })));
      });
    });
  });
}
