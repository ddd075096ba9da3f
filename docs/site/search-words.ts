/**
 * What people type who look for a section and do not know the word that it uses, by the section's page and anchor. The
 * search finds the section by these words, too.
 */
export const searchWords: Readonly<Record<string, string>> = {
  'guides/pages.html#use-your-own-sign-in-page': 'custom sign in page, login page, login form, Tailwind',
  'guides/integrations.html#use-the-browser-client': 'logout, log out, sign out button, login button',
  'guides/passwords.html#sign-in-with-a-password': 'sign up, signup, register, registration, create account',
  'guides/sessions.html#choose-what-a-session-contains': 'user id, profile fields, custom fields, user name',
  'guides/providers.html#passwords-and-other-credentials': 'username, login name, LDAP',
  'guides/integrations.html#protect-a-route': 'anonymous, guest, private page, require login',
  'guides/rate-limits.html#limit-sign-in-attempts': 'brute force, too many attempts, 429',
  'guides/email.html#send-links-by-smtp': 'magic link, passwordless',
  'guides/email.html#mail-a-code-instead-of-a-link': 'one time password, OTP, PIN by mail',
  'guides/second-factor.html#ask-for-a-code':
    '2FA, MFA, two factor, two step, authenticator app, Google Authenticator',
  'guides/integrations.html#nuxt': 'Vue',
  'guides/proxies.html#read-the-headers-of-a-reverse-proxy':
    'AUTH_URL proxy, load balancer, nginx, Caddy, ngrok',
  'guides/deploying.html#runtimes': 'Docker, container, serverless, Vercel, Cloudflare Workers, AWS Lambda',
  'guides/faq.html#how-do-i-admit-only-some-people': 'invite, invitation, allow list, closed, beta, domain',
  'guides/troubleshooting.html#read-the-log': 'debug, not working, logs',
}
