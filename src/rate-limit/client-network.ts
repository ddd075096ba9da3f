/**
 * Returns the network that counts as one client: an IPv4 address, or the /64 of an IPv6 address, because each client has
 * all addresses of its network. An IPv4-mapped address counts as IPv4 (RFC 4291 2.5.5.2).
 *
 * @throws TypeError if the text is not an address, for example because it contains a port
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address
  const groups = readGroups(address)
  if (!groups) throw new TypeError('`clientAddress` must return an IPv4 or IPv6 address, without a port')
  const [high = 0, low = 0] = groups.slice(6)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

function isIPv4(text: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(text) && text.split('.').every((part) => Number(part) <= 255)
}

/** Returns the eight groups of an IPv6 address, whose zone is dropped. URLs have one form for each (RFC 5952). */
function readGroups(text: string): number[] | undefined {
  const [bare = ''] = text.split('%')
  const url = `http://[${bare}]/`
  if (!/^[\da-f:.]+$/i.test(bare) || !URL.canParse(url)) return undefined
  const [head = '', tail] = new URL(url).hostname.slice(1, -1).split('::')
  const read = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const [first, last] = [read(head), read(tail ?? '')]
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last]
}
