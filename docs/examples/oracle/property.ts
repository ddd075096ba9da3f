import { property } from '../../../fuzz/properties/property.ts'

export default property({
  proves: ['SE-10'],
  name: 'a session is over when its browser signed out',
  story: 'Whoever copied the cookie of a shared computer goes on after its user has left.',
  advice: 'Delete the row of the session before the sign-out is answered.',
  setups: { database: { strategy: 'database' } },
  runs: 50,
  async run(world) {
    const browser = world.browser('ada')
    await browser.signIn('alpha', world.people.ada)
    const before = browser.save()
    await browser.signOut()
    browser.restore(before)
    world.hold('SE-10', (await browser.whoAmI()) === undefined, 'the old cookie still answers')
  },
})
