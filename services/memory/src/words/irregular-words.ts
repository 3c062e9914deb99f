// English words that a stemmer can't bring to their common form, because they are irregular or another everyday name for
// the same: each list of forms, then the word they count as.
const FORMS = `
  went gone: go, bought purchase purchased: buy, won: win, taught: teach, thought: think, brought: bring, caught: catch,
  made: make, took taken: take, gave given: give, got gotten: get, came: come, became: become, began begun: begin,
  broke broken: break, built: build, chose chosen: choose, drew drawn: draw, drank drunk: drink, drove driven: drive,
  ate eaten: eat, fell fallen: fall, felt: feel, fought: fight, found: find, flew flown: fly, forgot forgotten: forget,
  grew grown: grow, heard: hear, held: hold, kept: keep, knew known: know, led: lead, left: leave, lent: lend,
  lost: lose, meant: mean, met: meet, paid: pay, ran: run, rode ridden: ride, rose risen: rise, saw seen: see,
  sold: sell, sent: send, showed shown: show, sang sung: sing, sat: sit, slept: sleep, spoke spoken: speak,
  spent: spend, stood: stand, stole stolen: steal, swam swum: swim, told: tell, threw thrown: throw, said: say,
  understood: understand, wore worn: wear, woke woken: wake, wrote written: write, started beginning: begin,
  start: begin, children kid kids: child, men: man, women: woman, feet: foot, teeth: tooth, mice: mouse,
  married marriage: marry, better: good, older: old, dad daddy: father, mom mommy mum mummy: mother, movie movies: film,
  pic pics picture pictures photos photograph: photo, tv: television, bike: bicycle, fav favourite favorites: favorite,
  colour: color, pup puppy puppies: dog, kitty kitten: cat, vacation holiday: trip, job career: work`;

/** Common forms by the form that is met. */
export const IRREGULAR_WORDS: ReadonlyMap<string, string> = new Map(
  FORMS.split(',').flatMap((each) => {
    const [forms = '', common = ''] = each.split(':');
    return forms
      .trim()
      .split(/\s+/)
      .map((form): [string, string] => [form, common.trim()]);
  }),
);
