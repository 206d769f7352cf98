import type { Actor } from '@/lib/auth/rights'
import type { InstallMode } from './contract'

export type InstallRequest = {
  /** Loads the archive into memory; called once a slot is free. */
  loadArchive: () => Promise<Uint8Array>
  /** Hex, of the archive's bytes. */
  sha256: string
  /** Name of the archive, as given by the client; only shown, never used as a path. */
  source: string
  mode: InstallMode
  actor: Actor
  requestId: string
}
