import { eq } from 'drizzle-orm'
import { type InstallRow, installs } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { closeInstall } from './close-install'

/**
 * Closes an install as cancelled: from then on it can write nothing more, whichever process runs it.
 * False, with nothing done, when it is closed already.
 */
export async function closeCancelled(
  tx: Db,
  { id, mode }: Pick<InstallRow, 'id' | 'mode'>,
  by: string,
): Promise<boolean> {
  const kept = mode === 'atomic' ? 'nothing was installed' : 'files that were installed before stay'
  if (!(await closeInstall(tx, id, 'Cancelled', [`Cancelled by ${by}: ${kept}`]))) return false
  await tx.update(installs).set({ cancelledBy: by }).where(eq(installs.id, id))
  return true
}
