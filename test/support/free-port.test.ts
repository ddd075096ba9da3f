import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { findFreePort } from './free-port.ts'

const range = '/proc/sys/net/ipv4/ip_local_port_range'

it.skipIf(process.platform !== 'linux')('finds a port that Linux gives to no other server', async () => {
  const [first = '0'] = readFileSync(range, 'utf8').split('\t')
  for (let n = 0; n < 20; n++) expect(await findFreePort()).toBeLessThan(Number(first))
})
