/** Returns a page that submits the fields with a script (OAuth 2.0 Form Post Response Mode). */
export function postForm(action: string, fields: URLSearchParams): Response {
  const escape = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  const inputs = [...fields].map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escape(value)}">`,
  )
  return new Response(
    `<!doctype html><title>Submit</title><form method="post" action="${escape(action)}">${inputs.join('')}</form><script>document.forms[0].submit()</script>`,
    { headers: { 'content-type': 'text/html; charset=utf-8' } },
  )
}

/** Parses the fields of such a page. */
export function readForm(html: string): URLSearchParams {
  const unescape = (text: string) =>
    text.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const fields = [...html.matchAll(/name="([^"]*)" value="([^"]*)"/g)]
  return new URLSearchParams(fields.map(([, name = '', value = '']) => [name, unescape(value)]))
}
