/**
 * Arrays in which a search notes scores and counts of rows, and which rows it noted them of. Each search leaves all scores
 * and counts at zero, so that the next one can use the same arrays.
 */
let scratch = newScratch(0);

function newScratch(rows: number) {
  return {
    scores: new Float64Array(rows),
    counts: new Float64Array(rows),
    scored: new Int32Array(rows),
    counted: new Int32Array(rows),
  };
}

/** Gives the arrays of the process, large enough for so many rows. */
export function scratchFor(rows: number): typeof scratch {
  if (scratch.scores.length < rows) scratch = newScratch(rows);
  return scratch;
}
