/** Estimates the random bits of a value from the characters at each position of the samples. */
export function bitsOf(samples: readonly string[]): number {
  const places = Array.from(
    { length: Math.min(...samples.map(({ length }) => length)) },
    (_, at) => new Set(samples.map((sample) => sample[at])),
  )
  const varying = places.filter(({ size }) => size > 8)
  const alphabet = new Set(varying.flatMap((place) => [...place])).size
  return places.reduce((bits, { size }) => bits + Math.log2(size > 8 ? alphabet : size), 0)
}
