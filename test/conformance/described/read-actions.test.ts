import { expect, it } from 'vitest'
import { readActions } from '../../../fuzz/cli/init/learn/read-actions.ts'

const page = new URL('http://localhost:3000/login')
const read = (html: string) =>
  readActions(html, page).map(({ says, method, url, fields }) => [
    says,
    method,
    url.pathname + url.search,
    fields,
  ])

it('reads the links of a page, and none to another site', () => {
  const html = `<a class=x href="/go?with=alpha"> Sign in <b>now</b></a><a href="https://evil.example/">x</a><a href="#top">x</a><a>x</a>`
  expect(read(html)).toEqual([['Sign in now', 'GET', '/go?with=alpha', {}]])
})

it('reads an action for each button of a form, with the fields that a browser would send', () => {
  const html = `<form method=post action=enter><input type=hidden name=proof value=a&amp;b><input type=checkbox name=keep>
    <button name=with value=alpha>Alpha</button><button name=with value=beta formaction=/other>Beta</button></form>
    <form action="/find"><input name=q><input type=submit value=Find></form>`
  expect(read(html)).toEqual([
    ['Alpha', 'POST', '/enter', { proof: 'a&b', with: 'alpha' }],
    ['Beta', 'POST', '/other', { proof: 'a&b', with: 'beta' }],
    ['Find', 'GET', '/find', { q: '' }],
  ])
})

it('reads a hostile page in linear time', () => {
  const started = performance.now()
  for (const part of ['<a href=x>', '<a ', '<form><button>', '<input name=', '</a></form>', '<'])
    readActions(part.repeat(30_000), page)
  expect(performance.now() - started).toBeLessThan(5000)
})
