// Adds up what each project's tests counted; the last line is the whole suite's.   usage: sum-counts CHECKS TESTS
import { globSync, readFileSync } from 'node:fs';

const [checksFailed, testsStatus] = process.argv.slice(2).map(Number);
const files = globSync('{libs,services,apps}/*/test-results/counts.json').concat(
  globSync('tests/test-results/counts.json'),
);
const sum = { passed: 0, failed: 0, skipped: 0 };
for (const file of files) {
  const counts = JSON.parse(readFileSync(file, 'utf8'));
  for (const name of Object.keys(sum)) sum[name] += counts[name];
}
// The checks (format, types, lint, boundaries, dead code) count as one.
sum[checksFailed ? 'failed' : 'passed'] += 1;
// A project that could not even run its tests has left no counts, and still has failed.
if (testsStatus !== 0 && sum.failed === 0) sum.failed += 1;
const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : '';
console.log(`${sum.passed} passed, ${sum.failed} failed${skipped}`);
process.exit(sum.failed > 0 ? 1 : 0);
