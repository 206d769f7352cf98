import { beforeEach, describe, expect, test } from 'vitest'
import { archiveOf, uploadOf } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { logsOf, upload } from '../../testing/plugin-api'
import {
  deleteWhere,
  installShared,
  NONE,
  shared,
  stored,
  sumOf,
  twelve,
} from '../../testing/several-files'
import { deps, installed } from '../../testing/versions'
import { POST } from './route'

const FILES = shared(twelve())
const [FIRST] = Object.values(twelve())
/** The next version, which changes the first file. */
const CHANGED = shared({ ...twelve(), a: FIRST?.map((one) => ({ ...one, note: 'new' })) })

beforeEach(async () => {
  await installed(FILES)
  await deleteWhere('id > 4 or id = 1')
})

test('records that were deleted here stay so in the number that plan and log say', async () => {
  expect(sumOf(await installShared(FILES))).toEqual({ ...NONE, unchanged: 3, kept: 9 })
  expect(await stored()).toHaveLength(3)
})

test('deleted=restore creates them again', async () => {
  const restored = { ...NONE, created: 9, unchanged: 3, restored: 9 }
  expect(sumOf(await installShared(FILES, '&deleted=restore'))).toEqual(restored)
  expect(await stored()).toHaveLength(12)
  const again = { ...NONE, unchanged: 12 }
  expect(sumOf(await installShared(FILES, '&deleted=restore&mode=atomic'))).toEqual(again)
})

describe('a record that was deleted here and changed by the plugin', () => {
  test('is a conflict, and counted among those that stay deleted', async () => {
    const [first] = await installShared(CHANGED)
    expect(first).toMatchObject({ conflictCount: 1, deleted: { kept: 1 } })
  })

  test('is created as it is in the archive, unless a decision keeps it deleted', async () => {
    const keep = { decisions: JSON.stringify({ Thing: { keep: ['1'] } }) }
    const query = '?deleted=restore'
    const plan = await upload(deps, CHANGED, { query: `${query}&dryRun=true`, fields: keep })
    expect(plan.body.data.plan.files.at(-4).deleted).toEqual({ kept: 1, restored: 0 })
    const seal = `&seal=${plan.body.data.plan.seal}`
    const other = await upload(deps, CHANGED, { query: `?${seal.slice(1)}`, fields: keep })
    expect(other.body.error).toContain('the option "deleted" is another one')
    const [first] = await installShared(CHANGED, '&deleted=restore')
    expect(first).toMatchObject({ conflictCount: 1, deleted: { kept: 0, restored: 1 } })
  })
})

test('rows that repeat the key of a deleted record are not called unchanged', async () => {
  const repeated = shared({ a: [...(FIRST ?? []), ...(FIRST ?? [])] })
  expect(sumOf(await installShared(repeated))).toEqual({ ...NONE, unchanged: 4, kept: 1 })
})

test('an installer who may not read is not told how many were deleted here', async () => {
  const scopes = ['plugins:install', 'Thing:write', 'Thing:update']
  const sent = { method: 'POST', path: '/api/plugins/install/zip', as: 'ADMIN', scopes }
  const { body } = await call(deps, POST, { ...sent, body: uploadOf(await archiveOf(FILES)) })
  const logs = await logsOf(deps, body.data.history)
  expect(sumOf(logs.slice(-4))).toEqual({ ...NONE, updated: 12 })
})
