// Run after each generation of Prisma's client. Prisma reuses its plan of a query where values stand outside of it, which
// a list does only as `{ set: […] }`. For each bare list it makes and keeps a plan anew, so the types no longer take one.
// `createMany` keeps no plan.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MODELS = join(import.meta.dirname, '../libs/database/src/generated/models');
const INPUTS = /^export type \w+(?:Create|Update)\w*Input = \{$[^]*?^\}$/gm;
const BARE_LIST = /(Prisma\.\w+Input) \| (?:string|number|bigint|boolean|Date|string\.)[^\n]*\[\][^\n]*$/gm;

let refused = 0;
for (const name of readdirSync(MODELS)) {
  const path = join(MODELS, name);
  const types = readFileSync(path, 'utf8').replace(INPUTS, (input) =>
    input.includes('CreateManyInput = ')
      ? input
      : input.replace(BARE_LIST, (_line, bySet) => {
          refused += 1;
          return bySet;
        }),
  );
  writeFileSync(path, types);
}
// Another version of Prisma may write its types in another way.
if (refused === 0) throw new Error(`no list was found in ${MODELS}`);
