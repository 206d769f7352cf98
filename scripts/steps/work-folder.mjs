import { mkdtempSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Of a server that all tests have run on, about ten times. */
const ENOUGH_BYTES = 6 * 1024 ** 3

/**
 * A new folder for data that need not last; in memory if that is asked for and there is plenty: the files of tables, which tests make
 * and remove all the time, take a sixth of the time of all tests on a disk.
 */
export const makeWorkFolder = (prefix, { inMemory = false } = {}) =>
  mkdtempSync(join(inMemory && hasRoom() ? MEMORY : tmpdir(), prefix))

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ENOUGH_BYTES && freemem() >= 2 * ENOUGH_BYTES
  } catch {
    return false
  }
}
