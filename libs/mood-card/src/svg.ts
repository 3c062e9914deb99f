import { short } from './geometry.js';

/** Attributes of an element; what is undefined is left out. */
type Attributes = Readonly<Record<string, string | number | undefined>>;

/** One element. Values are escaped; children are SVG already. */
export function element(name: string, attributes: Attributes, ...children: string[]): string {
  const list = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? short(value) : escaped(`${value}`)}"`)
    .join('');
  return children.length === 0 ? `<${name}${list}/>` : `<${name}${list}>${children.join('\n')}</${name}>`;
}

/** A line of text that starts at, ends at or is centred on `x`. */
export function text(x: number, y: number, words: string, attributes: Attributes = {}): string {
  return element('text', { x, y, ...attributes }, escaped(words));
}

/** Escapes a text for an element or an attribute. Characters that XML does not allow are dropped. */
function escaped(words: string): string {
  return words
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
