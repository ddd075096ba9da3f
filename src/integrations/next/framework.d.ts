/**
 * The parts of Next.js that the library uses, so that the library compiles without Next.js. If Next.js is installed,
 * its own types apply: `npm run test:integrations` compiles against them.
 */
declare module 'next/headers' {
  import type { NextCookies } from './request.ts'

  export const cookies: () => Promise<NextCookies>
  export const headers: () => Promise<Headers>
}

declare module 'next/navigation' {
  export const redirect: (url: string) => never
}

declare module 'next/server' {
  export const connection: () => Promise<void>
}
