import { property } from '../../../fuzz/properties/property.ts'

export default property({
  proves: ['SE-10'],
  name: 'rejects the session cookie after a sign-out',
  story:
    'An attacker copies the cookie on a shared computer, and uses the session after its owner signs out.',
  advice: 'Delete the session row before you respond to the sign-out.',
  setups: { database: { strategy: 'database' } },
  runs: 50,
  async run(world) {
    const browser = world.browser('ada')
    await browser.signIn('alpha', world.people.ada)
    const before = browser.save()
    await browser.signOut()
    browser.restore(before)
    world.check('SE-10', (await browser.whoAmI()) === undefined, 'the old cookie is still accepted')
  },
})
