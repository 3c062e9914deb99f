// Prints the gate's last line: what the tests counted, and the checks as one more.   usage: sum-counts CHECKS TESTS
import { existsSync, readFileSync } from 'node:fs';

const [checksStatus, testsStatus] = process.argv.slice(2).map(Number);
const file = new URL('../test-results/counts.json', import.meta.url);
const sum = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { passed: 0, failed: 0, skipped: 0 };
// The checks (format, types, lint, boundaries, dead code) count as one.
sum[checksStatus === 0 ? 'passed' : 'failed'] += 1;
// A run that could not even count, or ended badly after it had, has still failed.
if (testsStatus !== 0 && sum.failed === 0) sum.failed += 1;
const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : '';
console.log(`${sum.passed} passed, ${sum.failed} failed${skipped}`);
process.exit(sum.failed > 0 ? 1 : 0);
