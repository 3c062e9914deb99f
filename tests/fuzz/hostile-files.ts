import { deflateSync } from 'node:zlib';
import type { Random } from '../faults/random.ts';
import type { FuzzRequest } from './make-request.ts';
import { hostileMessage, hostileTime, hostileValue, hostileWord } from './hostile-values.ts';

const TEXTS: readonly ((random: Random) => { format: string; content: string; name: string })[] = [
  () => ({ name: 'line breaks', format: 'html', content: '<br>'.repeat(50_000) }),
  () => ({ name: 'nested', format: 'html', content: '<div>'.repeat(3_000) }),
  () => ({ name: 'nested quotes', format: 'html', content: '<blockquote><b><i>'.repeat(5_000) }),
  () => ({ name: 'a table', format: 'html', content: `<table>${'<tr><td colspan=9999>'.repeat(9_000)}` }),
  () => ({ name: 'entities', format: 'html', content: '&amp;&#x0;&#xffffffff;&nosuch;'.repeat(9_000) }),
  () => ({ name: 'attributes', format: 'html', content: `<a ${'b=c '.repeat(90_000)}>` }),
  () => ({ name: 'unclosed', format: 'html', content: '<script><!--<style><textarea>'.repeat(9_000) }),
  () => ({ name: 'a heading with spaces', format: 'markdown', content: `# a${' '.repeat(4_000)}b` }),
  () => ({ name: 'headings', format: 'markdown', content: '# \n'.repeat(90_000) }),
  () => ({ name: 'fences', format: 'markdown', content: '```\n'.repeat(90_000) }),
  () => ({ name: 'quotes', format: 'markdown', content: '> '.repeat(90_000) }),
  () => ({ name: 'one line', format: 'text', content: 'x'.repeat(300_000) }),
  () => ({ name: 'empty', format: 'text', content: ' \n\n '.repeat(1_000) }),
  (random) => ({ name: 'a hostile text', format: 'text', content: hostileMessage(random).repeat(20) }),
  (random) => ({
    name: 'a hostile page',
    format: 'html',
    content: `<p>${hostileMessage(random).repeat(20)}`,
  }),
  () => ({ name: 'no PDF', format: 'pdf', content: Buffer.from('%PDF-1.7\nnothing').toString('base64') }),
  () => ({ name: 'operators', format: 'pdf', content: pdf(Buffer.from('0 0 m '.repeat(2_000_000))) }),
  () => ({ name: 'an inflating PDF', format: 'pdf', content: pdf(Buffer.alloc(300_000_000, 32)) }),
  () => ({ name: 'a PDF of brackets', format: 'pdf', content: pdf(Buffer.from('['.repeat(1_000_000))) }),
  () => ({ name: 'a PDF in a circle', format: 'pdf', content: circular() }),
];

/** A request that brings a file: a document, a lorebook, a character card, or memories. */
export function makeFile(companion: string, random: Random): Omit<FuzzRequest, 'headers'> {
  const post = (path: string, body: unknown, name: string): Omit<FuzzRequest, 'headers'> => ({
    route: `file ${name}`,
    method: 'POST',
    path,
    body: Buffer.from(JSON.stringify(body)),
  });
  const kind = random.next();
  if (kind < 0.5) {
    const { name, ...text } = random.pick(TEXTS)(random);
    const title = random.chance(0.3) ? hostileWord(random) : 'a file';
    return post('/v1/documents', { title, ...text, companion }, `document: ${name}`);
  }
  if (kind < 0.75) {
    const book = random.pick<() => unknown>([
      () => ({ entries: { 0: { key: [hostileMessage(random)], content: hostileMessage(random) } } }),
      () => ({
        entries: Array.from({ length: 900 }, (_, n) => ({ keys: [`k${n}`], content: 'c', name: `${n}` })),
      }),
      () => ({
        spec: 'chara_card_v2',
        data: { name: hostileWord(random), character_book: hostileValue(random) },
      }),
      () => [{ name: hostileWord(random), keys: [hostileWord(random)], text: hostileMessage(random) }],
      () => ({ entries: { a: { key: ['/(a+)+$/i', '/[/'], content: 'x', use_regex: true } } }),
      () => hostileValue(random),
    ])();
    return post(`/v1/companions/${companion}/lore/import`, { book }, 'lore');
  }
  const records = Array.from({ length: random.pick([1, 3, 500, 501]) }, (_, n) => ({
    text: random.chance(0.3) ? hostileMessage(random) : `line ${n}`,
    saidAt: random.chance(0.2) ? hostileTime(random) : '2024-05-01T12:00:00Z',
    ...(random.chance(0.2) ? { speaker: hostileWord(random), conversation: hostileWord(random) } : {}),
    ...(random.chance(0.1) ? { [hostileWord(random)]: hostileValue(random) } : {}),
  }));
  return post('/v1/memories/import', { companion, records }, 'memories');
}

/** A PDF of one page with this content, deflated: small to send, large to read. As base64. */
function pdf(content: Buffer): string {
  const stream = deflateSync(content, { level: 9 });
  return written([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << >> >>',
    Buffer.concat([
      Buffer.from(`<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`),
      stream,
      Buffer.from('\nendstream'),
    ]),
  ]);
}

/** Pages that are each other's parents. */
function circular(): string {
  return written([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 2000000000 >>',
    '<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 1 >>',
  ]);
}

function written(objects: readonly (string | Buffer)[]): string {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]);
    parts.push(part);
    length += part.length;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const head = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  parts.push(
    Buffer.from(`${head}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF`),
  );
  return Buffer.concat(parts).toString('base64');
}
