import autocannon from 'autocannon'

export const load = autocannon
