import type { Description } from './description.ts'

/** The presets of applications on libraries in other languages, or on a server's module. */
export const libraries = {
  // https://docs.allauth.org, with its URLs under /accounts/
  'django-allauth': {
    signIn: { method: 'POST', url: '/accounts/{provider}/login/?next={returnTo}' },
    callback: '/accounts/{provider}/login/callback/',
    session: { url: '/me', user: 'email' },
    signOut: { method: 'POST', url: '/accounts/logout/' },
    csrf: { from: '/accounts/password/reset/', field: 'csrfmiddlewaretoken' },
    cookies: { session: 'sessionid' },
  },
  // https://github.com/omniauth/omniauth, version 2, with sessions in cookies
  omniauth: {
    signIn: { method: 'POST', url: '/auth/{provider}?origin={returnTo}' },
    callback: '/auth/{provider}/callback',
    session: { url: '/me', user: 'email', stateless: true },
    signOut: { method: 'POST', url: '/logout' },
    csrf: { from: '/', field: 'authenticity_token' },
    cookies: { session: 'rack.session' },
  },
  // https://docs.authlib.org, in Flask with its own sessions
  authlib: {
    signIn: { url: '/login/{provider}?next={returnTo}' },
    callback: '/callback/{provider}',
    session: { url: '/me', user: 'email', stateless: true },
    signOut: { method: 'POST', url: '/logout' },
    csrf: 'none',
    cookies: { session: 'session' },
  },
  // https://auth0.github.io/express-openid-connect, with sessions in cookies
  'express-openid-connect': {
    signIn: { url: '/login?returnTo={returnTo}' },
    callback: '/callback',
    session: { url: '/me', user: 'email', stateless: true },
    signOut: { url: '/logout' },
    csrf: 'none',
    cookies: { session: 'appSession' },
  },
  // https://github.com/OpenIDC/mod_auth_openidc, with OIDCRedirectURI /callback
  'mod-auth-openidc': {
    signIn: { url: '/login?next={origin}{returnTo}' },
    callback: '/callback',
    session: { url: '/me', user: 'email' },
    signOut: { url: '/callback?logout={origin}{returnTo}' },
    csrf: 'none',
    cookies: { session: 'mod_auth_openidc_session' },
  },
} as const satisfies Readonly<Record<string, Description>>
