import type { Device } from '@/lib/auth/known-device'

/** The browser that signs in. */
export type Visitor = {
  address: string | null
  userAgent: string | null
  /** If it was used for a sign-in before. */
  device: Device | null
  requestId?: string
}
