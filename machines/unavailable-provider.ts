/**
 * Handles the failures that any request to a provider can have: a function of the configuration threw, an option is
 * missing, or the network failed.
 */
export function unavailableProvider<const T extends string>(target: T) {
  return {
    'hook.failed': target,
    'provider.misconfigured': target,
    'provider.unreachable': target,
  } as const
}
