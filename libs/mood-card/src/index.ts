export { drawMoodCard } from './draw-mood-card.js';
export type { MoodCardFacts } from './describe-card.js';
