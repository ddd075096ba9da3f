/** Types of forms other than the usual one. A check that only reads the usual one may let these pass. */
export const types = {
  'the type text/plain and no token': 'text/plain',
  'the type multipart/form-data and no token': 'multipart/form-data; boundary=x',
} as const

/** Links that another page can contain. Some frameworks read the method of a request from its query. */
export const links = {
  'a GET request': { method: 'GET', query: {} },
  'a HEAD request': { method: 'HEAD', query: {} },
  'a GET request with the method in its query': {
    method: 'GET',
    query: { _method: 'POST', method: 'POST', __method: 'POST', 'X-HTTP-Method-Override': 'POST' },
  },
} as const
