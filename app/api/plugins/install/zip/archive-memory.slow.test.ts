import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { archiveOf } from '@/lib/testing/archive'
import { upload } from '../../testing/plugin-api'
import { deps, integer, text, version } from '../../testing/versions'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const MIB = 1024 * 1024
/** Half of what the file takes. */
const HALF_MIB = 12
const heldMiB = () => {
  collect()
  return process.memoryUsage().arrayBuffers / MIB
}

test.each(['?dryRun=true', ''])('an archive is not kept after it was sent to %j', async (query) => {
  const records = Array.from({ length: 6_000 }, (_, id) => ({ id, r: id, t: 'x'.repeat(4_000) }))
  const properties = [integer('r'), text('t')]
  const archive = await archiveOf(version({ properties, records }))
  const { status } = await upload(deps, archive, { query })
  expect(status).toBe(200)
  await expect.poll(heldMiB, { timeout: 3_000 }).toBeLessThan(HALF_MIB)
})
