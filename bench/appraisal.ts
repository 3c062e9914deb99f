// How well appraisal reads what people say: written lines with the emotion each should call up, read by the
// rules and, with a fast model's key set, by the model too.   npm run bench:appraisal -- [--misses]
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { present } from '@kith/contracts';
import { createModelRoles } from '@kith/llm';
import { DegradedStates } from '@kith/service-host';
import { modelSettings } from '@kith/service-host/common-settings';
import { defineSettings, readSettings } from '@kith/service-host/settings';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { appraiseByModel } from '../services/personality/dist/reading/appraise-by-model.js';
import { appraiseByRules } from '../services/personality/dist/reading/english/appraise-by-rules.js';
import { type AppraiseByRules, Appraiser } from '../services/personality/dist/reading/appraiser.js';
import { EMOTIONS, type EmotionName } from '../services/personality/dist/affect/mood/emotions.js';
import { feelingsOf } from '../services/personality/dist/affect/emotions-of.js';
import { NOTHING_AHEAD } from '../services/personality/dist/affect/prospect.js';
import { oneDigit, writeResult } from './figures.ts';

type Felt = EmotionName | 'none';

interface Line {
  text: string;
  emotion: Felt;
  /** Other readings that a careful reader may give. */
  or?: Felt[];
  /** Reason the line is hard. The rules know English, so they feel nothing in an `other language`. */
  case?: string;
  /**
   * `tuning`: rules may be changed for its sake. `held out`: they may not, but whoever wrote the rules knew the
   * line. `afterwards`: written when the rules stood. `fresh`: written before the fallback to AFINN and never looked at
   * since. `second tuning` and `untouched`: every other line of one list in the manner of chat, written before the
   * rules went by who did what to whom; the first half was tuned on, the second never looked at, so that this is the
   * figure to believe. `read once`: written in the manner of chat when rules had just been changed for other lines; its
   * misses were looked at once, and no rule was changed for them.
   */
  part: (typeof PARTS)[number];
}

const PARTS = [
  'tuning',
  'held out',
  'afterwards',
  'fresh',
  'second tuning',
  'untouched',
  'read once',
] as const;

/** Sets whose misses may be read. */
const TUNED_ON = new Set<Line['part']>(['tuning', 'second tuning']);

const FOREIGN = 'other language';

/** OCC's branches, as figures are told apart. */
const BRANCHES: Record<string, Felt[]> = {
  'nothing to feel': ['none'],
  'fortunes of oneself': ['joy', 'distress'],
  prospects: ['hope', 'fear'],
  'settled prospects': ['satisfaction', 'disappointment', 'relief', 'fears-confirmed'],
  'fortunes of others': ['happy-for', 'pity'],
  'ill will': ['gloating', 'resentment'],
  deeds: ['pride', 'shame', 'admiration', 'reproach'],
  aspects: ['liking', 'disliking', 'love', 'hate'],
  compounds: ['gratification', 'remorse', 'gratitude', 'anger'],
};

class Score {
  private lines = 0;
  private exact = 0;
  private accepted = 0;
  private valence = 0;

  add(wanted: readonly Felt[], felt: Felt): void {
    this.lines += 1;
    if (felt === wanted[0]) this.exact += 1;
    if (wanted.includes(felt)) this.accepted += 1;
    if (wanted.some((emotion) => valenceOf(emotion) === valenceOf(felt))) this.valence += 1;
  }

  /** In percent: the emotion itself, one of those that may be said, and its sign alone. */
  figures() {
    const percent = (part: number) => oneDigit((100 * part) / this.lines);
    return {
      lines: this.lines,
      accepted: percent(this.accepted),
      exact: percent(this.exact),
      valence: percent(this.valence),
    };
  }
}

class Report {
  private readonly scores = new Map<string, Score>();
  private readonly confused = new Map<string, number>();
  readonly misses: string[] = [];

  add(line: Line, wanted: readonly Felt[], felt: Felt): void {
    const [emotion = 'none'] = wanted;
    const branch = Object.entries(BRANCHES).find(([, emotions]) => emotions.includes(emotion))?.[0];
    // Rules that know no word of a language get nothing wrong in it: those lines are told apart only.
    const general = line.case === FOREIGN ? [] : ['all', `${branch}`];
    for (const name of [...general, ...(line.case ? [`case: ${line.case}`] : [])]) {
      const score = this.scores.get(name) ?? new Score();
      this.scores.set(name, score);
      score.add(wanted, felt);
    }
    if (wanted.includes(felt)) return;
    this.misses.push(`${emotion} → ${felt}: ${line.text}`);
    const confusion = `${emotion} → ${felt}`;
    this.confused.set(confusion, (this.confused.get(confusion) ?? 0) + 1);
  }

  figures() {
    return Object.fromEntries([...this.scores].map(([name, score]) => [name, score.figures()]));
  }

  /** Confusions, the most frequent first. */
  confusion(): Record<string, number> {
    return Object.fromEntries([...this.confused].sort(([, one], [, other]) => other - one));
  }
}

const { values: flags } = parseArgs({ options: { misses: { type: 'boolean', default: false } } });
const lines = JSON.parse(await readFile(join(import.meta.dirname, 'appraisal-lines.json'), 'utf8')) as Line[];
const silent = pino({ level: 'silent' });
const { fast } = createModelRoles(
  readSettings(defineSettings({ models: modelSettings() }), process.env).models,
);
const states = new DegradedStates(new Registry());
const rules: AppraiseByRules = async (...turn) => appraiseByRules(...turn);
const readers = {
  rules: new Appraiser(null, rules, silent),
  ...(fast && { model: new Appraiser(appraiseByModel(fast, states), rules, silent) }),
};
if (!fast) console.log('no fast model is set up: by rules alone');

const results: Record<string, unknown> = {};
for (const [reader, appraiser] of Object.entries(readers)) {
  const parts = new Map(PARTS.map((part) => [part, new Report()]));
  // By text: neighbours in the file are of one emotion, and a model that is shown them together is told as much.
  const mixed = lines.toSorted((one, other) => (one.text < other.text ? -1 : 1));
  const started = performance.now();
  const readings = await appraiser.read(
    mixed.map(({ text }) => ({ texts: [text], ahead: NOTHING_AHEAD })),
    { id: 'mira', name: 'Mira' },
  );
  const tookMs = Math.round(performance.now() - started);
  readings.forEach((reading, place) => {
    const line = present(mixed[place]);
    const felt = feelingsOf(reading?.appraisals ?? [])[0]?.name ?? 'none';
    present(parts.get(line.part)).add(line, wantedOf(line, reader), felt);
  });
  const perSecond = Math.round((1_000 * lines.length) / tookMs);
  console.log(`${lines.length} lines by ${reader} in ${tookMs} ms (${perSecond} a second)`);
  const fellBack = readings.filter((reading) => reading?.appraiser !== reader).length;
  if (fellBack > 0) console.log(`${fellBack} lines were read by rules, since the model did not answer`);
  for (const [part, report] of parts) {
    console.log(`by ${reader}, ${part}`);
    console.table(report.figures());
    console.table(report.confusion());
    if (flags.misses && TUNED_ON.has(part)) console.log(report.misses.join('\n'));
    results[`${reader}, ${part}`] = { figures: report.figures(), confusion: report.confusion() };
  }
}
await writeResult('appraisal', results);
// The states probe what is down for as long as the process lives.
process.exit();

function wantedOf({ emotion, or = [], case: kind }: Line, reader: string): readonly Felt[] {
  return reader === 'rules' && kind === FOREIGN ? ['none'] : [emotion, ...or];
}

function valenceOf(emotion: Felt): number {
  return emotion === 'none' ? 0 : Math.sign(EMOTIONS[emotion].p);
}
