import fc from 'fast-check'
import { openRace } from '../../world/race.ts'
import { property, type Property } from '../property.ts'

export const sessionReadersProperties: readonly Property[] = [
  property({
    proves: ['SE-20'],
    name: 'mixes no data between concurrent requests',
    story: 'Two users click at the same moment, and one sees the other’s page.',
    advice: 'Keep request state in local values, never in modules.',
    needs: ['setup'],
    setups: {
      database: { config: { session: { updateAge: 0 } } },
      jwt: { strategy: 'jwt', config: { adapter: true } },
    },
    runs: 30,
    reaches: { 'two concurrent reads': 1 },
    input: fc.record({
      actions: fc.array(
        fc.array(fc.constantFrom('read', 'update', 'callback', 'sign out'), { minLength: 1, maxLength: 2 }),
        {
          minLength: 3,
          maxLength: 3,
        },
      ),
      // Last, because fast-check loses the members of a record after one that must be cloned.
      scheduler: fc.scheduler(),
    }),
    async run(world, { scheduler, actions }) {
      const users = [world.people.ada, world.people.bob, world.people.eve] as const
      const flows: (() => Promise<void>)[] = []
      const held = new Map<string, string>()
      const check = (
        name: string,
        { text, cookies }: { text: string; cookies: readonly { key: string; value: string }[] },
      ) => {
        for (const other of users)
          if (other.name !== name)
            world.check(
              'SE-20',
              !text.includes(`${other.name}@`),
              `${name} receives the address of ${other.name}`,
            )
        for (const { key, value } of cookies) {
          if (value.length < 20 || key.endsWith('callback-url')) continue
          world.check(
            'SE-20',
            (held.get(value) ?? name) === name,
            `${name} receives a cookie of ${held.get(value) ?? ''}: ${key}`,
          )
          held.set(value, name)
        }
      }
      for (const [n, person] of users.entries()) {
        const browser = world.browser(person.name)
        await browser.signIn('alpha', person)
        for (const value of Object.values(browser.cookies()))
          if (value.length >= 20) held.set(value, held.get(value) ?? person.name)
        const csrfToken = await browser.csrfToken()
        const arrival = await browser.visit('beta', person)
        flows.push(async () => {
          for (const action of actions[n] ?? []) {
            if (action === 'read') check(person.name, await browser.readSession())
            else if (action === 'callback') check(person.name, await browser.arrive(arrival))
            else
              check(
                person.name,
                await browser.send(`${world.basePath}/${action === 'sign out' ? 'signout' : 'session'}`, {
                  ...(action === 'sign out'
                    ? { form: { csrfToken } }
                    : { json: { csrfToken, data: person.name } }),
                  says: action === 'sign out' ? 'signs out' : 'updates its session',
                }),
              )
          }
        })
      }
      const race = openRace(scheduler)
      world.enter(race)
      await race.run(flows)
      if (actions.filter((each) => each.includes('read')).length > 1) world.reach('two concurrent reads')
    },
  }),
]
