import type { Db } from '@/lib/db/sql'

/** Runs `work` in a transaction, which a trial takes back: it tells what would happen by what does. */
export async function inTrial<T>(
  db: Db,
  isTrial: boolean,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  let tried: { value: T } | undefined
  try {
    return await db.transaction(async (tx) => {
      const value = await work(tx)
      if (!isTrial) return value
      tried = { value }
      throw new RolledBack()
    })
  } catch (error) {
    if (error instanceof RolledBack && tried) return tried.value
    throw error
  }
}

class RolledBack extends Error {}
