// Writes persona.schema.json from the schema that persona files are read by.   usage: node tools/persona-schema.mjs
import { writeFileSync } from 'node:fs';
import { personaSchema } from '../libs/characters/dist/index.js';

const file = new URL('../services/personality/persona.schema.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(personaSchema(), null, 2)}\n`);
