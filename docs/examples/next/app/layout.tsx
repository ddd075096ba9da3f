import type { ReactNode } from 'react'
import { auth } from '../auth'
import { SessionProvider } from '../auth-client'

export const metadata = { title: 'authmachine with Next.js', icons: 'data:,' }

export default async function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <SessionProvider session={await auth()}>{children}</SessionProvider>
      </body>
    </html>
  )
}
