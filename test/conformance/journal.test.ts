import { describe, expect, it } from 'vitest'
import { openJournal } from '../../fuzz/world/journal.ts'

const token = 'http://127.0.0.1:4010/token'

describe('the journal of the world', () => {
  it('keeps the last 500 entries', () => {
    const { entries, noteMail } = openJournal(() => 7)
    for (let n = 0; n < 501; n++) noteMail({ to: ['ada@mail.example'], subject: `${n}`, links: [] })
    expect(entries).toHaveLength(500)
    expect(entries[0]).toEqual({ kind: 'mail', at: 7, to: ['ada@mail.example'], subject: '1', links: [] })
  })

  it('cuts long values, and shows at most half of a secret', async () => {
    const { entries, noteRequest } = openJournal()
    const body = new URLSearchParams({ scope: 'x'.repeat(201), code: 'secret', client_secret: '' }).toString()
    await noteRequest('alpha', new Request(token, { method: 'POST', body }), body, new Response())
    expect(entries).toMatchObject([
      {
        parameters: [
          ['scope', `${'x'.repeat(200)}…`],
          ['code', 'sec…'],
          ['client_secret', ''],
        ],
      },
    ])
  })
})
