import { signIn, signOut } from 'auth-astro/client'

const find = (selector) => document.querySelector(selector)

find('#demo').onclick = () => signIn('demo', { callbackUrl: '/client' })
find('#leave').onclick = () => signOut({ callbackUrl: '/client' })
find('form').onsubmit = async (event) => {
  event.preventDefault()
  const typed = Object.fromEntries(new FormData(event.currentTarget))
  const response = await signIn('credentials', { ...typed, redirect: false })
  // It returns nothing if it navigates away.
  if (!response) return
  const { url } = await response.json()
  const { searchParams } = new URL(url)
  find('[role=alert]').textContent = `${searchParams.get('error')} ${searchParams.get('code')}`
  find('[role=alert]').hidden = false
}
