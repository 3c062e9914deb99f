import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { present } from '@kith/contracts';

/** Takes the nth of a list that begins anew at its end. */
export function nth<T>(list: readonly T[], n: number): T {
  return present(list[n % list.length]);
}

/** The value below which this share of the samples lies (nearest rank), in the samples' unit. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** p50, p95 and p99 with one decimal. */
export function spread(samples: readonly number[]): { p50: number; p95: number; p99: number } {
  const at = (share: number) => oneDigit(percentile(samples, share));
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

export function oneDigit(value: number): number {
  return Math.round(10 * value) / 10;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Prints a table below each title. */
export function printTables(tables: Readonly<Record<string, object>>): void {
  for (const [title, rows] of Object.entries(tables)) {
    console.log(title);
    console.table(rows);
  }
}

/** Keeps a benchmark's figures in `bench/results`, which is no part of the repository. */
export async function writeResult(name: string, result: unknown): Promise<void> {
  const directory = join(import.meta.dirname, 'results');
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, `${name}.json`), JSON.stringify(result, null, 2));
}
