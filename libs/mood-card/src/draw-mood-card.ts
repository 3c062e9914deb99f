import { createRequire } from 'node:module';
import { describeCard, type MoodCardFacts } from './describe-card.js';
import { moodCardSvg } from './mood-card-svg.js';

/** Pixels for each unit of the drawing: sharp on the screens that people have. */
const SCALE = 2;

const { resolve } = createRequire(import.meta.url);
const FONTS = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) =>
  resolve(`dejavu-fonts-ttf/ttf/${file}`),
);

/**
 * Draws a companion's mood as a PNG, off the event loop's thread, in a tenth of a second or so. Needs no
 * browser and no font of the system's. With it comes the card in words, for people who can't see it.
 * @throws Error where there is no binary of resvg for this platform; nothing else needs it
 */
export async function drawMoodCard(facts: MoodCardFacts) {
  // Only now: a service that draws nothing loads no renderer, and one that can't draw still starts.
  const { renderAsync } = await import('@resvg/resvg-js');
  const image = await renderAsync(moodCardSvg(facts), {
    fitTo: { mode: 'zoom', value: SCALE },
    font: { loadSystemFonts: false, fontFiles: FONTS, defaultFontFamily: 'DejaVu Sans' },
  });
  return { png: image.asPng(), alt: describeCard(facts) };
}
