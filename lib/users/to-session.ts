import { deviceName } from '@/lib/auth/device-name'
import type { SessionRow } from '@/lib/db/schema'
import type { Session } from './session-contract'

/** A session as its user sees it; `current`: the id of theirs. */
export const toSession = (row: SessionRow, current: string): Session => ({
  id: row.id,
  current: row.id === current,
  device: deviceName(row.userAgent),
  signedInBy: row.signedInBy,
  address: row.address,
  signedInAt: row.createdAt.toISOString(),
  lastSeenAt: row.lastSeenAt.toISOString(),
})
