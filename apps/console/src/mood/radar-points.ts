/** A corner of a radar: where it lies, and where its name goes. */
export interface RadarCorner {
  x: number;
  y: number;
  /** How the name stands to its place. */
  anchor: 'start' | 'middle' | 'end';
}

/**
 * Where values in [0, 1] lie on a radar around a middle, the first one at the top and on clockwise.
 * @param radius of the value 1
 */
export function radarPoints(values: readonly number[], middle: number, radius: number): RadarCorner[] {
  return values.map((value, index) => {
    const angle = (2 * Math.PI * index) / values.length;
    const across = Math.sin(angle);
    return {
      x: round(middle + radius * value * across),
      y: round(middle - radius * value * Math.cos(angle)),
      anchor: Math.abs(across) < 0.1 ? 'middle' : across > 0 ? 'start' : 'end',
    };
  });
}

/** The outline through corners, as SVG wants it. */
export function outlineOf(corners: readonly RadarCorner[]): string {
  return corners.map(({ x, y }) => `${x},${y}`).join(' ');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
