export type Value = number | string | Uint8Array | readonly Value[] | ReadonlyMap<number | string, Value>

/** Encodes the part of CBOR (RFC 8949) that authenticators use: integers, text, bytes, lists and maps. */
export function encodeCbor(value: Value): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (isList(value)) return Buffer.concat([head(4, value.length), ...value.map(encodeCbor)])
  const members = [...value].flatMap(([key, member]) => [encodeCbor(key), encodeCbor(member)])
  return Buffer.concat([head(5, value.size), ...members])
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

function head(type: number, size: number): Buffer {
  const major = type << 5
  if (size < 24) return Buffer.from([major | size])
  return size < 256 ? Buffer.from([major | 24, size]) : Buffer.from([major | 25, size >> 8, size & 255])
}
