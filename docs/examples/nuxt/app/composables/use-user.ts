/** Returns the signed-in user. The server reads the session, and sends the user to the browser with the page. */
export const useUser = () => useState('user', () => useRequestEvent()?.context.session?.user ?? null)
