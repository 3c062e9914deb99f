import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from './exchanges.ts';

/** A server to be asked, and a collection of one's own on it. */
export interface AskedServer {
  url: string;
  apiKey: string | undefined;
  collection: string;
}

/** Answer to one request, without what differs from run to run. */
export interface Answer {
  status: number;
  result: unknown;
}

/** Fields that say how long it took, in which step, and how it is stored: nothing of ours goes by them. */
const PASSING = new Set(['time', 'usage', 'operation_id', 'version', 'shard_key', 'order_value']);
/** Digits of a score: servers compute with other widths. */
const DIGITS = 4;

/** Sends a request to a server. */
export async function ask({ url, apiKey, collection }: AskedServer, exchange: Exchange): Promise<Answer> {
  const named = (text: string) => text.replaceAll('NAME', collection);
  const response = await fetch(url + named(exchange.path), {
    method: exchange.method,
    headers: {
      ...(apiKey !== undefined && { 'api-key': apiKey }),
      ...(exchange.body && { 'content-type': 'application/json' }),
    },
    ...(exchange.body && { body: named(JSON.stringify(exchange.body)) }),
  });
  const body = (await response.json().catch(() => null)) as { result?: unknown } | null;
  // What an error says is theirs to word; only our own collection's aliases are looked at.
  const text = JSON.stringify(response.ok ? (body?.result ?? null) : null).replaceAll(collection, 'NAME');
  return { status: response.status, result: withoutPassing(ownAliases(JSON.parse(text))) };
}

/** Asks two servers the same, and tells where their answers differ. */
export async function compareServers(
  one: AskedServer,
  other: AskedServer,
  exchanges: readonly Exchange[],
): Promise<{ name: string; one: Answer; other: Answer }[]> {
  const different = [];
  for (const exchange of exchanges) {
    const [first, second] = [await ask(one, exchange), await ask(other, exchange)];
    if (!isDeepStrictEqual(first, second)) different.push({ name: exchange.name, one: first, other: second });
  }
  return different;
}

function ownAliases(result: unknown): unknown {
  const { aliases } = (result ?? {}) as { aliases?: { alias_name: string }[] };
  return aliases ? { aliases: aliases.filter(({ alias_name }) => alias_name.startsWith('NAME')) } : result;
}

function withoutPassing(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toFixed(DIGITS));
  if (Array.isArray(value)) return value.map(withoutPassing);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([key, held]) => !PASSING.has(key) && held !== null);
  return Object.fromEntries(kept.map(([key, held]) => [key, withoutPassing(held)]));
}
