import { describe, expect, it } from 'vitest'
import { networkOf } from '../../src/rate-limit/client-network.ts'

describe('the network of a client', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['::ffff:0.0.1.0', '0.0.1.0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['::fffe:192.0.2.7', '0:0:0:0::/64'],
    ['1::ffff:192.0.2.7', '1:0:0:0::/64'],
  ])('RL-06 of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  it.each([
    '',
    'unknown',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.7:4711',
    '[2001:db8::1]',
    '[2001:db8::1]:4711',
    '2001:db8::1::2',
    '1:2:3:4:5:6:7',
    '192.0.2.7, 198.51.100.1',
    '%eth0',
    'a]@[::1',
  ])('RL-06 rejects %j', (address) => {
    expect(() => networkOf(address)).toThrow(
      new TypeError('`clientAddress` must return an IPv4 or IPv6 address, without a port'),
    )
  })
})
