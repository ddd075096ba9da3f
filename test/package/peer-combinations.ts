/**
 * Existing dependencies of applications in the ecosystem, one application per row. The versions are those that
 * published packages allow in their own peer ranges, so a row conflicts if our ranges exclude them.
 */
export interface PeerCombination {
  readonly name: string
  readonly dependencies: Readonly<Record<string, string>>
  /** Whether npm reports a conflict among the packages of this row alone. @default false */
  readonly conflictsAlone?: true
}

const react = { react: '^19', 'react-dom': '^19' }

/** The published Auth.js adapters, in groups that npm can resolve together. */
const adapters = [
  ['azure-tables', 'd1', 'dgraph', 'drizzle', 'dynamodb', 'edgedb', 'fauna', 'firebase'],
  ['hasura', 'kysely', 'mikro-orm', 'mongodb', 'neo4j', 'neon', 'pg', 'pouchdb'],
  ['prisma', 'sequelize', 'supabase', 'surrealdb', 'typeorm', 'unstorage', 'upstash-redis', 'xata'],
]

export const combinations: readonly PeerCombination[] = [
  { name: 'msw 2', dependencies: { msw: '^2' } },
  { name: 'msw 3', dependencies: { msw: '^3' } },
  { name: 'fast-check 3', dependencies: { 'fast-check': '^3' } },
  { name: 'fast-check 4', dependencies: { 'fast-check': '^4' } },
  { name: 'tough-cookie 4', dependencies: { 'tough-cookie': '^4' } },
  { name: 'tough-cookie 5', dependencies: { 'tough-cookie': '^5' } },
  { name: 'elkjs 0.10', dependencies: { elkjs: '^0.10' } },
  { name: 'smtp-server 3 and postal-mime 2', dependencies: { 'smtp-server': '3.13.0', 'postal-mime': '^2' } },
  { name: 'kysely 0.28', dependencies: { kysely: '^0.28' } },
  { name: 'kysely 0.29', dependencies: { kysely: '^0.29' } },
  { name: 'nodemailer 6', dependencies: { nodemailer: '^6' } },
  { name: 'nodemailer 7', dependencies: { nodemailer: '^7' } },
  { name: 'nodemailer 8', dependencies: { nodemailer: '^8' } },
  { name: 'nodemailer 10', dependencies: { nodemailer: '^10' } },
  ...['9', '10', '11', '12', '13', '14'].map((major) => ({
    name: `SimpleWebAuthn ${major}`,
    dependencies: { '@simplewebauthn/server': `^${major}`, '@simplewebauthn/browser': `^${major}` },
  })),
  { name: 'next-auth 4', dependencies: { 'next-auth': '^4', next: '^16', ...react, nodemailer: '^7' } },
  {
    name: 'next-auth 5 with each of its peers',
    dependencies: {
      'next-auth': '5.0.0-beta.32',
      next: '^16',
      ...react,
      nodemailer: '^7',
      '@simplewebauthn/server': '^9',
      '@simplewebauthn/browser': '^9',
    },
  },
  {
    name: 'next-auth 5 and its Prisma adapter',
    dependencies: { 'next-auth': '5.0.0-beta.32', '@auth/prisma-adapter': '^2', next: '^16', ...react },
  },
  {
    name: '@auth/core with each of its peers',
    dependencies: {
      '@auth/core': '^0.41',
      nodemailer: '^7',
      '@simplewebauthn/server': '^9',
      '@simplewebauthn/browser': '^9',
    },
  },
  ...adapters.map((names) => ({
    name: `adapters: ${names.join(', ')}`,
    dependencies: Object.fromEntries(names.map((name) => [`@auth/${name}-adapter`, '*'])),
  })),
  { name: 'better-auth', dependencies: { 'better-auth': '^1' } },
  { name: 'vitest 3 and msw 2', dependencies: { vitest: '^3', msw: '^2' } },
  { name: 'vitest 5', dependencies: { vitest: '^5' } },
  { name: 'jsdom with tough-cookie 5', dependencies: { jsdom: '^26', vitest: '^4' } },
  { name: 'Next', dependencies: { next: '^16', ...react } },
  { name: '@auth/sveltekit', dependencies: { '@auth/sveltekit': '^1', '@sveltejs/kit': '^2', svelte: '^5' } },
  { name: '@auth/express', dependencies: { '@auth/express': '^0.12', express: '^5' } },
  {
    name: '@auth/qwik',
    dependencies: { '@auth/qwik': '*', '@builder.io/qwik': '^1', '@builder.io/qwik-city': '^1' },
  },
  {
    name: '@auth/solid-start',
    dependencies: { '@auth/solid-start': '*', '@solidjs/start': '^1', 'solid-js': '^1', vinxi: '^0.5' },
  },
  {
    name: '@hono/auth-js',
    dependencies: { '@hono/auth-js': '^1', '@auth/core': '^0.41', hono: '^4', ...react },
  },
  { name: 'authey', dependencies: { authey: '*', '@auth/core': '^0.41' } },
  { name: 'auth-astro', dependencies: { 'auth-astro': '*', astro: '^5', '@auth/core': '^0.37' } },
  { name: 'Express', dependencies: { express: '^5' } },
  { name: 'Fastify', dependencies: { fastify: '^5' } },
  { name: 'Hono', dependencies: { hono: '^4', '@hono/node-server': '^2' } },
  { name: 'SvelteKit', dependencies: { '@sveltejs/kit': '^3', svelte: '^5' } },
  // Qwik's own peer, vite below 8, must not affect users without Qwik.
  { name: 'vite 8', dependencies: { vite: '^8' } },
  { name: 'Qwik', dependencies: { '@builder.io/qwik': '1.9.0', '@builder.io/qwik-city': '1.9.0' } },
  {
    name: 'SolidStart',
    dependencies: { '@solidjs/start': '^1', 'solid-js': '^1', '@solidjs/router': '^0.15' },
  },
  { name: 'Astro', dependencies: { astro: '^7' } },
  { name: 'Nuxt', dependencies: { nuxt: '^4' } },
  { name: 'React Router', dependencies: { 'react-router': '^8', ...react } },
]
