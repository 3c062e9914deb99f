import { readConfig } from './config.js';

// Usage: node apps/cli/dist/suite/url-cli.js
// Prints where the suite of this checkout is. Called by scripts/up.

console.log(readConfig({}).url);
