const browsers = [
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** Describes the device of a request, such as `Firefox on Linux`, so that users recognise their sessions. */
export function describeDevice(request: Request): { readonly device: string } {
  const agent = request.headers.get('user-agent') ?? ''
  const find = (names: readonly (readonly [string, string])[]) =>
    names.find(([mark]) => agent.includes(mark))?.[1]
  return { device: `${find(browsers) ?? 'A program'} on ${find(systems) ?? 'an unknown system'}` }
}
