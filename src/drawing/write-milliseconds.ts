/** How long something took, as a short text: `0.4 ms`, `120 ms`, `12.5 s`. */
export function writeMilliseconds(milliseconds: number): string {
  if (milliseconds < 9.95) return `${milliseconds.toFixed(1)} ms`
  if (milliseconds < 9999.5) return `${Math.round(milliseconds)} ms`
  return `${(milliseconds / 1000).toFixed(1)} s`
}
