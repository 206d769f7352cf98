import { describe, expect, test } from 'vitest'
import { archiveOf, uploadOf } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { call, testKey } from '@/lib/testing/request'
import { ask, books } from '../../testing/planned-books'
import { install, upload } from '../../testing/plugin-api'
import { POST } from './route'

const deps = freshDeps()

describe('?dryRun=true&detail=records', () => {
  test('has no records for a file that fails, and what another file changed before is as it is then', async () => {
    const failing = await upload(
      deps,
      books([
        { id: 1, code: 'a' },
        { id: 2, code: 'a' },
      ]),
      {
        query: ask(),
      },
    )
    expect(failing.body.data).toMatchObject({ failedCount: 1, records: [] })
    const two = {
      ...books([{ id: 1, title: 'Second' }]),
      'Book/a.json': [{ id: 1, title: 'First' }],
    }
    expect((await upload(deps, two, { query: ask() })).body.data.records).toEqual([
      {
        index: 0,
        key: { id: 1 },
        verdict: 'updated',
        before: { title: 'First' },
        after: { title: 'Second' },
      },
    ])
  })

  test('shows no records that the caller may not read', async () => {
    await install(deps, books([{ id: 1, title: 'Secret' }]))
    const key = await testKey(deps, ['ADMIN'], ['plugins:install', 'Book:write', 'Book:update'])
    const asInstaller = async (files: Record<string, unknown>, query: string) =>
      call(deps, POST, {
        method: 'POST',
        path: `/api/plugins/install/zip${query}`,
        body: uploadOf(await archiveOf(files)),
        headers: { authorization: `Bearer ${key}` },
      })
    expect(await asInstaller(books([{ id: 1, title: 'Mine' }]), ask())).toMatchObject({
      status: 403,
      body: { status: 403, error: 'The records of this file need the right "Book:read"' },
    })
  })

  test.each([
    ['?detail=records&file=a', 'detail=records needs dryRun=true'],
    ['?dryRun=true&detail=records', 'detail=records needs the path of a data file as "file"'],
    [
      '?dryRun=true&detail=records&file=Book/dat.json',
      'The archive has no content file "Book/dat.json"; did you mean "Book/data.json"?',
    ],
  ])('is refused as %s', async (query, error) => {
    expect(await upload(deps, books([]), { query })).toMatchObject({
      status: 400,
      body: { status: 400, error },
    })
  })
})
