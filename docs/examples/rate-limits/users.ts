/** Stands for the users of your application. */
export async function checkPassword({ username, password }: Readonly<Record<string, unknown>>) {
  return username === 'ada' && password === 'correct horse' ? { id: '1', name: 'Ada' } : null
}
