import { scryptSync, timingSafeEqual } from 'node:crypto'
import Credentials from '../../../src/providers/credentials.ts'

const hash = (password: string, salt: string) => scryptSync(password, salt, 32)
const people = new Map([['ada', { id: '1', salt: 'a1b2', hash: hash('correct horse', 'a1b2') }]])
const nobody = { id: '', salt: '0000', hash: Buffer.alloc(32) }

export const password = Credentials({
  name: 'Password',
  credentials: {
    name: { label: 'Name', required: true, autocomplete: 'username' },
    password: { label: 'Password', type: 'password', required: true, autocomplete: 'current-password' },
  },
  authorize({ name, password: typed }) {
    if (typeof name !== 'string' || typeof typed !== 'string') return null
    // For an unknown name as much is computed as for a known one.
    const person = people.get(name) ?? nobody
    return timingSafeEqual(hash(typed, person.salt), person.hash) ? { id: person.id, name } : null
  },
})
