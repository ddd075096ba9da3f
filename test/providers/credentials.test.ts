import { describe, expect, it } from 'vitest'
import Credentials from '../../src/providers/credentials.ts'

describe('Credentials', () => {
  it('PRV-002 PRV-025 has an id, a name, and the user’s options under `options`', () => {
    const options = {
      credentials: { pin: { label: 'PIN', type: 'password' } },
      authorize: () => ({ id: 'u' }),
    }
    const provider = Credentials(options)
    expect(provider).toMatchObject({ id: 'credentials', name: 'Credentials', type: 'credentials' })
    expect(provider.options).toBe(options)
  })
})
