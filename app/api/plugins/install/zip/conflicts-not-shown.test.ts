import { beforeEach, describe, expect, test } from 'vitest'
import type { FileReport } from '@/lib/installs/file-report'
import { archiveOf, uploadOf } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { logsOf } from '../../testing/plugin-api'
import { CHANGED, edit, next, remove, THREE } from '../../testing/upgrades'
import { deps, installed, search } from '../../testing/versions'
import { POST } from './route'

const INSTALLER = ['plugins:install', 'plugins:read', 'Thing:write', 'Thing:update']
const READER = [...INSTALLER, 'Thing:read']

beforeEach(async () => {
  await installed(next(THREE))
  await edit('price = 99999', 1)
  await remove(3)
})

const upload = async (query: string, scopes: string[]) =>
  call(deps, POST, {
    ...{ method: 'POST', path: `/api/plugins/install/zip${query}`, as: 'ADMIN', scopes },
    body: uploadOf(await archiveOf(next(CHANGED))),
  })

async function planned(scopes: string[]): Promise<FileReport | undefined> {
  const { body } = await upload('?dryRun=true&onConflict=fail', scopes)
  return body.data.plan.files.at(-1)
}

describe('onConflict=fail', () => {
  test('tells an installer who may not read neither keys nor values nor numbers', async () => {
    const message =
      'Records of "Thing" changed here and in the plugin; choose onConflict=keep or take. To see which ones needs the right "Thing:read"'
    expect(await planned(INSTALLER)).toMatchObject({
      ...{ status: 'failed', error: 'Conflict Issue!', details: [{ message }], detailCount: 1 },
      ...{ groups: [], conflicts: [], conflictCount: 0 },
    })
    expect(await planned(READER)).toMatchObject({
      ...{ error: 'Conflict Issue!', detailCount: 2, conflictCount: 2 },
      conflicts: [{ key: '1', fields: [{ field: 'price', ours: 99999 }] }, { key: '3' }],
    })
  })

  test('fails the file in an install too', async () => {
    const before = await search()
    const { body, text } = await upload('?onConflict=fail', INSTALLER)
    expect(body.data).toMatchObject({ failedCount: 1 })
    expect(text).not.toContain('99999')
    const log = (await logsOf(deps, body.data.history)).at(-1)
    expect(log).toMatchObject({ error: 'Conflict Issue!', conflicts: [], detailCount: 1 })
    expect(await search()).toEqual(before)
  })
})
