/** Sends a message. Replace this with the client of your SMS service. */
export async function sendMessage(to: string, text: string): Promise<void> {
  const body = JSON.stringify({ to, text })
  const response = await fetch('https://sms.example.com/messages', { method: 'POST', body })
  if (!response.ok) throw new Error(`The SMS service responded with status ${response.status}`)
}
