import { deflateSync } from 'node:zlib';

/** A document as a caller hands it in, made to cost its reader as much as it can. */
export interface MalformedFile {
  readonly name: string;
  readonly format: 'markdown' | 'text' | 'html' | 'pdf';
  /** Text; base64 for a PDF. No longer than the API takes. */
  readonly content: string;
}

/** The least that zlib does: hundreds of megabytes are compressed in a third of the time, to a two hundredth of their size. */
const FAST = { level: 1 };
/** The largest document that the API takes, in characters. */
const MAX_CHARACTERS = 990_000;

/** Files that cost time, memory or stack to read. Each is read within bounds or refused. */
export function malformedFiles(): MalformedFile[] {
  return [
    html('50,000 line breaks', '<br>'.repeat(50_000)),
    html('3,000 nested divs', nested('<div>', 3_000)),
    html('200,000 nested elements without an end', nested('<i>', 200_000)),
    html('nested lists', nested('<ul><li>', 60_000)),
    html('formatting over paragraphs', '<b><i><u><p>x'.repeat(50_000)),
    html('ends of what never began', `${nested('<p><b>', 200)}${'</q>'.repeat(200_000)}`),
    html('one element of many attributes', `<p ${'a="" '.repeat(180_000)}>x</p>`),
    html('one attribute without an end', `<p a="${'x'.repeat(900_000)}`),
    html('a comment without an end', `<!--${'-'.repeat(900_000)}`),
    html('spaces alone', `<p>a${' '.repeat(900_000)}b</p>`),
    html('a heading of spaces', `<h1>a${' \n'.repeat(400_000)}b</h1>`),
    html('character references', '&amp'.repeat(200_000)),
    html('open angle brackets', '<'.repeat(900_000)),
    html('code marks', '<pre>```\n'.repeat(90_000)),
    pdf('2,000,000 operators', pdfOf([deflated('(a) Tj\n'.repeat(2_000_000))])),
    pdf('operators without text', pdfOf([deflated('q Q\n'.repeat(3_000_000))])),
    pdf('a bomb in a bomb', pdfOf([bomb(300_000_000)])),
    pdf('many streams of moderate size', pdfOf(Array<Stream>(200).fill(bomb(10_000_000)))),
    pdf('a bomb with a broken end', pdfOf([broken(deflated('\0'.repeat(100_000_000)))])),
    pdf('a bomb of run lengths', pdfOf([runLengths(200_000_000)])),
    pdf('100,000 pages', pdfOf([deflated('BT /F1 9 Tf (page) Tj ET')], { pages: 100_000 })),
    pdf('a page count that lies', pdfOf([deflated('BT (x) Tj ET')], { count: 1_000_000_000 })),
    pdf('forms that call each other', laughingPdf()),
    pdf('arrays in arrays', pdfOf([plain(`BT ${'['.repeat(400_000)} TJ ET`)])),
    pdf('one string of a megabyte', pdfOf([deflated(`BT /F1 9 Tf (${'a '.repeat(4_000_000)}) Tj ET`)])),
    pdf('a page tree in a circle', circularPdf()),
    pdf('half a file', pdfOf([deflated('BT (x) Tj ET'.repeat(10_000))]).subarray(0, 300)),
    pdf('no PDF at all', Buffer.from('nonsense')),
    { name: 'a heading of spaces', format: 'markdown', content: `# a${' '.repeat(400_000)}b` },
    { name: 'a heading of number signs', format: 'markdown', content: `# ${'# '.repeat(400_000)}b` },
    { name: 'a word without an end', format: 'markdown', content: 'a'.repeat(MAX_CHARACTERS) },
    { name: 'blank lines', format: 'markdown', content: `a${'\n \n'.repeat(300_000)}b` },
    { name: 'one-word paragraphs', format: 'text', content: 'a\n\n'.repeat(300_000) },
    { name: 'sentences of a letter', format: 'text', content: 'a. '.repeat(300_000) },
    { name: 'number signs', format: 'text', content: '#\n'.repeat(400_000) },
  ];
}

/** A PDF of one page that says this line. */
export function pdfSaying(line: string): Buffer {
  return pdfOf([plain(`BT /F1 12 Tf 72 720 Td (${line}) Tj ET`)]);
}

function html(name: string, content: string): MalformedFile {
  return { name, format: 'html', content };
}

function pdf(name: string, bytes: Buffer): MalformedFile {
  return { name, format: 'pdf', content: bytes.toString('base64') };
}

function nested(open: string, times: number): string {
  return `${open.repeat(times)}x`;
}

interface Stream {
  readonly filters: string;
  readonly bytes: Buffer;
}

function plain(content: string): Stream {
  return { filters: '', bytes: Buffer.from(content, 'latin1') };
}

function deflated(content: string): Stream {
  return { filters: '/Filter /FlateDecode', bytes: deflateSync(Buffer.from(content, 'latin1'), FAST) };
}

/** Zeros compressed twice: a few thousand bytes at most. */
function bomb(size: number): Stream {
  const once = deflateSync(Buffer.alloc(size), FAST);
  return { filters: '/Filter [/FlateDecode /FlateDecode]', bytes: deflateSync(once) };
}

/** Readers take what comes before a wrong checksum. */
function broken({ filters, bytes }: Stream): Stream {
  return { filters, bytes: Buffer.concat([bytes.subarray(0, -4), Buffer.from('oops')]) };
}

/** Each pair of bytes stands for 128 spaces, and is itself compressed. */
function runLengths(size: number): Stream {
  const pairs = Buffer.alloc(Math.ceil(size / 128) * 2, Buffer.from([129, 32]));
  return { filters: '/Filter [/FlateDecode /RunLengthDecode]', bytes: deflateSync(pairs) };
}

/** A page with these content streams, repeated in the page tree. */
function pdfOf(
  contents: readonly Stream[],
  { pages = 1, count = pages }: { pages?: number; count?: number } = {},
): Buffer {
  const first = 5;
  const references = contents.map((_, n) => `${first + n} 0 R`).join(' ');
  return fileOf([
    plain('<< /Type /Catalog /Pages 2 0 R >>'),
    plain(`<< /Type /Pages /Kids [${'3 0 R '.repeat(pages)}] /Count ${count} >>`),
    plain(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents [${references}] /Resources << /Font << /F1 4 0 R >> >> >>`,
    ),
    plain('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'),
    ...contents.map(streamObject),
  ]);
}

/** Eight levels of forms, each of which draws the next one ten times: a hundred million lines. */
function laughingPdf(): Buffer {
  const levels = 8;
  const form = (n: number): Stream => {
    const isLast = n === levels - 1;
    const body = isLast ? 'BT /F1 9 Tf (ha) Tj ET' : '/X Do '.repeat(10);
    const next = isLast ? '' : `/XObject << /X ${6 + n + 1} 0 R >>`;
    const head = `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 4 0 R >> ${next} >>`;
    return streamObject({ filters: head, bytes: Buffer.from(body) });
  };
  return fileOf([
    plain('<< /Type /Catalog /Pages 2 0 R >>'),
    plain('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    plain(
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /XObject << /X 6 0 R >> >> >>',
    ),
    plain('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'),
    streamObject(plain('/X Do')),
    ...Array.from({ length: levels }, (_, n) => form(n)),
  ]);
}

function circularPdf(): Buffer {
  return fileOf([
    plain('<< /Type /Catalog /Pages 2 0 R >>'),
    plain('<< /Type /Pages /Kids [3 0 R] /Count 2 >>'),
    plain('<< /Type /Pages /Parent 2 0 R /Kids [2 0 R 3 0 R] /Count 2 >>'),
  ]);
}

function streamObject({ filters, bytes }: Stream): Stream {
  const head = `<< /Length ${bytes.length} ${filters} >>\nstream\n`;
  return { filters, bytes: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\nendstream')]) };
}

/** The objects, numbered from 1, with their table. */
function fileOf(objects: readonly Stream[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  let length = parts[0]!.length;
  const add = (bytes: Buffer): void => {
    parts.push(bytes);
    length += bytes.length;
  };
  const entries = objects.map(({ bytes }, n) => {
    const entry = `${String(length).padStart(10, '0')} 00000 n \n`;
    add(Buffer.concat([Buffer.from(`${n + 1} 0 obj\n`), bytes, Buffer.from('\nendobj\n')]));
    return entry;
  });
  const start = length;
  const size = objects.length + 1;
  add(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}`));
  add(Buffer.from(`trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`));
  return Buffer.concat(parts);
}
