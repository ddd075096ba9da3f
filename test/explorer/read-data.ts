import { inflateRawSync } from 'node:zlib'
import type { ExplorerData } from '../../src/tools/explorer/data.ts'

/** Decompresses the data of the explorer. */
export function readData(text: string): ExplorerData {
  return JSON.parse(inflateRawSync(Buffer.from(text, 'base64')).toString()) as ExplorerData
}
