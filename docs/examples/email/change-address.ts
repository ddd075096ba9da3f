import { memoryAdapter } from '../../../src/adapters/memory.ts'
import { createAuth } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'

async function send(to: string, subject: string, text: string): Promise<void> {
  const response = await fetch('https://mail.example/send', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to, subject, text }),
  })
  if (!response.ok) throw new Error(`The mail service returned ${response.status}`)
}

export const auth = createAuth({
  adapter: memoryAdapter(),
  providers: [GitHub],
  accountPage: true,
  emailChange: {
    sendLink: ({ to, url }) => send(to, 'Confirm your new address', `Open this link and confirm: ${url}`),
    sendNotice: (notice) =>
      notice.type === 'changed'
        ? send(
            notice.to,
            'Your address was changed',
            `Your account now has the address ${notice.newAddress}. If this was not you, contact us.`,
          )
        : send(
            notice.to,
            'You already have an account',
            'Someone entered this address for another account. To use it there, change it in this account first.',
          ),
  },
})
