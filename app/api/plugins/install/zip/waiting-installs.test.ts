import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { archiveOf } from '@/lib/testing/archive'
import { testDeps } from '@/lib/testing/deps'
import { count, deps, numbered, plugin } from '../../testing/numbered-plugins'
import { install, upload } from '../../testing/plugin-api'

test('a table that others keep locked fails its file, which says so', async () => {
  if (deps.dialect === 'pglite') return // has one connection, so no other session can hold a lock
  await testDeps({ INSTALL_WAIT_MS: '300' })
  await install(deps, plugin('a', 'Thing', numbered(1)))
  await deps.db.transaction(async (tx) => {
    await tx.execute(sql`lock table entities.thing in access exclusive mode`)
    const { status, logs } = await install(deps, plugin('a', 'Thing', [{ id: 'new' }]))
    expect(status).toBe(200)
    expect(logs.at(-1)).toMatchObject({
      error: 'Interrupted',
      details: [{ message: expect.stringContaining('locked') }],
    })
    const preview = await upload(deps, plugin('a', 'Thing', [{ id: 'new' }]), {
      query: '?dryRun=true',
    })
    expect(preview).toMatchObject({
      status: 503,
      body: { error: expect.stringContaining('locked') },
    })
  })
  expect(await count('thing')).toBe(1)
})

test('the bytes of an archive that waits are the ones that were sent', async () => {
  await testDeps({ MAX_INSTALLS: '1' })
  const archives = await Promise.all(
    ['a', 'b', 'c'].map((id) => archiveOf(plugin(id, `E_${id}`, numbered(2)))),
  )
  const responses = await Promise.all(archives.map((archive) => upload(deps, archive)))
  expect(responses.map(({ body }) => body.data.pluginId)).toEqual([
    'com.example.a',
    'com.example.b',
    'com.example.c',
  ])
})
