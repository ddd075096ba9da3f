import fc from 'fast-check'
import { openRace } from '../world/race.ts'
import { property, type Property } from './property.ts'

export const sessionReadersProperties: readonly Property[] = [
  property({
    proves: ['SE-20'],
    name: 'requests at once: nobody is answered with anything of another',
    story: 'Two users click at the same moment, and one of them sees the page of the other.',
    advice: 'Keep everything about a request in values that belong to it; no state in modules.',
    needs: ['setup'],
    setups: {
      database: { config: { session: { updateAge: 0 } } },
      jwt: { strategy: 'jwt', config: { adapter: true } },
    },
    runs: 30,
    reaches: { 'read of two at once': 1 },
    input: fc.record({
      acts: fc.array(
        fc.array(fc.constantFrom('read', 'update', 'arrive', 'leave'), { minLength: 1, maxLength: 2 }),
        {
          minLength: 3,
          maxLength: 3,
        },
      ),
      // Last: of a record, fast-check loses what comes after a member that has to be cloned.
      scheduler: fc.scheduler(),
    }),
    async run(world, { scheduler, acts }) {
      const folk = [world.people.ada, world.people.bob, world.people.eve] as const
      const flows: (() => Promise<void>)[] = []
      const held = new Map<string, string>()
      const check = (
        name: string,
        { text, cookies }: { text: string; cookies: readonly { key: string; value: string }[] },
      ) => {
        for (const other of folk)
          if (other.name !== name)
            world.hold(
              'SE-20',
              !text.includes(`${other.name}@`),
              `${name} is answered with the address of ${other.name}`,
            )
        for (const { key, value } of cookies) {
          if (value.length < 20 || key.endsWith('callback-url')) continue
          world.hold(
            'SE-20',
            (held.get(value) ?? name) === name,
            `${name} is sent a cookie of ${held.get(value) ?? ''}: ${key}`,
          )
          held.set(value, name)
        }
      }
      for (const [n, person] of folk.entries()) {
        const browser = world.browser(person.name)
        await browser.signIn('alpha', person)
        for (const value of Object.values(browser.cookies()))
          if (value.length >= 20) held.set(value, held.get(value) ?? person.name)
        const csrfToken = await browser.csrfToken()
        const arrival = await browser.visit('beta', person)
        flows.push(async () => {
          for (const act of acts[n] ?? []) {
            if (act === 'read') check(person.name, await browser.readSession())
            else if (act === 'arrive') check(person.name, await browser.arrive(arrival))
            else
              check(
                person.name,
                await browser.send(`${world.basePath}/${act === 'leave' ? 'signout' : 'session'}`, {
                  ...(act === 'leave' ? { form: { csrfToken } } : { json: { csrfToken, data: person.name } }),
                  says: act === 'leave' ? 'signs out' : 'updates its session',
                }),
              )
          }
        })
      }
      const race = openRace(scheduler)
      world.enter(race)
      await race.run(flows)
      if (acts.filter((each) => each.includes('read')).length > 1) world.reach('read of two at once')
    },
  }),
]
