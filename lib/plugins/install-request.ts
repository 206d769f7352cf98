import type { Actor } from '@/lib/auth/rights'
import type { InstallMode } from './contract'

export type InstallRequest = {
  /** Brings the archive into memory; called when it is this one's turn. */
  loadArchive: () => Promise<Uint8Array>
  /** Hex, of the archive's bytes. */
  sha256: string
  /** Name of the archive, as the client gave it; shown, never used as a path. */
  source: string
  mode: InstallMode
  actor: Actor
  requestId: string
}
