import type { Session } from 'authmachine/types'

declare global {
  namespace App {
    interface Locals {
      session: Session | null
    }
  }
}
