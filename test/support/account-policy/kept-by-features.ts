import { defineFeature, userRecord } from 'authmachine/extend'
import { device } from '../../../docs/examples/features/device.ts'
import { apiKeys } from '../../../docs/examples/features/keys.ts'
import { callMethod } from '../../../src/handler/call-method.ts'
import type { AuthConfig } from '../../../src/types/config.ts'
import type { Feature } from '../../../src/types/feature.ts'

const program = userRecord<string>('program')

/** A way to sign in that a feature keeps. */
const keys = apiKeys()
/** Programs that act as the user until the sessions end. */
const programs = defineFeature({
  name: 'program',
  title: 'Signed-in programs',
  needs: ['getRecord', 'setRecord', 'deleteRecord'],
  methods: {
    start: async (tools, userId: string) => program.update(userId, () => 'running', tools),
    isRunning: async (tools, userId: string) => (await program.read(userId, tools))?.value === 'running',
  },
  ends: {
    async session(userId, tools) {
      await program.update(userId, () => undefined, tools)
    },
  },
})

/** Features that keep something of each class. */
export const keepingFeatures: readonly Feature[] = [keys, programs]

/** Lets devices sign in. The journey of a browser has only the routes of the library, so scenarios do without. */
export const devices: Feature = device({ clients: { cli: 'Example CLI' } })

/** Starts a program, and returns whether it still runs. */
export async function startProgram(userId: string, config: AuthConfig) {
  await callMethod(config, programs, 'start', [userId])
  return async () => Boolean(await callMethod(config, programs, 'isRunning', [userId]))
}

/** Issues an API key, and returns whether it still works. */
export async function issueKey(userId: string, config: AuthConfig) {
  const { key } = Object(await callMethod(config, keys, 'issue', [userId, { name: 'build server' }]))
  const headers = { authorization: `Bearer ${key}` }
  return async () =>
    Boolean(await callMethod(config, keys, 'find', [new Request('https://app.test/api', { headers })]))
}
