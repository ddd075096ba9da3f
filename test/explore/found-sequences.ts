/** Sequences that once broke a rule of this library, by configuration. */
export const foundSequences: readonly {
  readonly configuration: string
  readonly actions: readonly string[]
}[] = [
  {
    configuration: 'provider and factor',
    actions: [
      'Ada, at Ada’s laptop, signs in at alpha',
      'Ada, at Ada’s laptop, enters a code',
      'Ada, at Ada’s laptop, signs in at beta',
      'alpha logs Ada out everywhere',
    ],
  },
  {
    configuration: 'tokens: provider and factor',
    actions: [
      'Ada, at Ada’s laptop, signs in at alpha',
      'Ada, at Ada’s laptop, enters a code',
      'Ada, at Ada’s laptop, signs in at beta',
      'alpha logs Ada out everywhere',
    ],
  },
  {
    configuration: 'tokens: provider and factor',
    actions: [
      'Ada, at Ada’s laptop, signs in at alpha',
      'alpha logs Ada out everywhere',
      'Ada, at Ada’s laptop, enters a code, and lets the browser be remembered',
      'Ada, at Ada’s laptop, signs in at alpha',
    ],
  },
  {
    configuration: 'remembered browser',
    actions: [
      'Ada, at Ada’s laptop, enters the current password',
      'Ada, at Ada’s laptop, requests a link for the password',
      'Ada, at Ada’s laptop, chooses a password by the newest link',
    ],
  },
]
