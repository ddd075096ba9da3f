export async function sendMail(to: string, subject: string, text: string): Promise<void> {
  const response = await fetch('https://mail.example/send', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to, subject, text }),
  })
  if (!response.ok) throw new Error(`The mail service returned ${response.status}`)
}
