import { company } from './company.ts'

export const recent = { ...company, authorization: { params: { scope: 'openid email', max_age: 300 } } }
