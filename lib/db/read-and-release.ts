import type { Db } from './sql'

/** Reads in a savepoint that is rolled back, so that the locks of reading are released immediately. */
export async function readAndRelease<T>(tx: Db, read: (inner: Db) => Promise<T>): Promise<T> {
  const done: { value: T }[] = []
  try {
    await tx.transaction(async (inner) => {
      done.push({ value: await read(inner as unknown as Db) })
      throw new Released()
    })
  } catch (error) {
    if (!(error instanceof Released)) throw error
  }
  const [first] = done
  if (!first) throw new Error('Nothing was read')
  return first.value
}

class Released extends Error {}
