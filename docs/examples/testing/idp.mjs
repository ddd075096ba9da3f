import { serveIdentityProvider } from 'authmachine-conformance/testing'

const users = [{ sub: '1', name: 'Ada', email: 'ada@example.com' }]
const { issuer } = await serveIdentityProvider({ port: 4100, users })
console.log(issuer)
